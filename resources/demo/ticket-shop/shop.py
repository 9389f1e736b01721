def ticket_price(age):
    """Children under 12 pay 5, seniors from 65 pay 7, others 10."""
    if age < 12:
        return 5
    if age >= 65:
        return 7
    return 10


def total_price(items):
    """Return the sum of price times quantity in items."""
    total = 0
    for price, quantity in items:
        total += price * quantity
    return total


def is_adult(age):
    """Return True from age 18."""
    return age > 18
