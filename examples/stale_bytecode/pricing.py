DISCOUNT = 10


def price(amount):
    return amount - amount * DISCOUNT // 100
