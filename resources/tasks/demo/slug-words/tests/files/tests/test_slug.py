from text.slug import slug, unslug


def test_plain():
    assert slug("Green tea") == "green-tea"


def test_accents_and_digits():
    assert slug("Café 24") == "café-24"


def test_several_signs():
    assert slug("Tea & cake") == "tea-cake"


def test_ends():
    assert slug("  Tea! ") == "tea"


def test_unslug():
    assert unslug("green-tea") == "Green tea"
