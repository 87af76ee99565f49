from pricing import price


def test_ten_percent_off():
    assert price(200) == 180
