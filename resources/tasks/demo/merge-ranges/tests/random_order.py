"""A plug-in of pytest that shuffles the tests; the seed is in TEST_ORDER_SEED."""

import os
import random


def pytest_collection_modifyitems(items):
    random.Random(os.environ["TEST_ORDER_SEED"]).shuffle(items)
