import unittest

from ranges import merge, total


class MergeTest(unittest.TestCase):
    def test_apart(self):
        self.assertEqual(merge([(5, 6), (1, 2)]), [(1, 2), (5, 6)])

    def test_touching(self):
        self.assertEqual(merge([(1, 2), (2, 4)]), [(1, 4)])

    def test_within(self):
        self.assertEqual(merge([(1, 10), (2, 3)]), [(1, 10)])

    def test_empty(self):
        self.assertEqual(merge([]), [])


def test_total():
    assert total([(1, 10), (2, 3), (20, 21)]) == 10
