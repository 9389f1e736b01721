import pytest

from shop import is_adult, ticket_price, total_price


def test_ticket_price():
    assert [ticket_price(age) for age in (11, 12, 64, 65)] == [5, 10, 10, 7]


def test_total_price():
    assert total_price([(5, 2), (10, 1)]) == 20


@pytest.mark.parametrize("age", [18, 40])
def test_is_adult(age):
    assert is_adult(age)


def test_is_no_adult():
    assert not is_adult(17)
