"""Plan, evidence, rows, verdict: whether the arms of a plan really ran."""
