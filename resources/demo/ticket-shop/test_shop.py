from shop import is_adult


def test_is_adult():
    assert is_adult(18)
    assert not is_adult(17)
    assert is_adult(40)
