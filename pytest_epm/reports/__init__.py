"""Writers: a Report as text or JSON. Pure: they return strings and print nothing."""
