#!/usr/bin/env python3
"""Makes test/fixtures/statistics.json: values of scipy and numpy that our statistics must equal.

    python3 scripts/reference-statistics.py > test/fixtures/statistics.json

Needs numpy and scipy; run it again only when a figure is added.
"""
import json
from fractions import Fraction
from math import comb, sqrt

import numpy
import scipy
from scipy import stats


def interval(hits, n, confidence):
    ci = stats.binomtest(hits, n).proportion_ci(confidence, method="wilson")
    return {"hits": hits, "n": n, "confidence": confidence, "low": ci.low, "high": ci.high}


def indexes(seed, count, size):
    """The generator of sample.ts, step by step."""
    state, out, mask = seed & 0xFFFFFFFF, [], 0xFFFFFFFF
    for _ in range(count):
        state = (state + 0x9E3779B9) & mask
        mixed = ((state ^ (state >> 16)) * 0x21F0AAAD) & mask
        mixed = ((mixed ^ (mixed >> 15)) * 0x735A2D97) & mask
        out.append(int((mixed ^ (mixed >> 15)) / 2**32 * size))
    return out


def bootstrap(values, resamples, seed):
    values = numpy.array(values)
    drawn = numpy.array(indexes(seed, resamples * len(values), len(values)))
    means = values[drawn].reshape(resamples, len(values)).mean(axis=1)
    low, high = numpy.quantile(means, [0.025, 0.975])
    return {"values": values.tolist(), "resamples": resamples, "seed": seed,
            "value": values.mean(), "low": low, "high": high}


def paired(differences):
    test = stats.permutation_test((numpy.array(differences),), numpy.sum, permutation_type="samples",
                                  n_resamples=numpy.inf, alternative="two-sided")
    return {"differences": differences, "p": float(test.pvalue)}


def mcnemar(only_a, only_b):
    return {"onlyA": only_a, "onlyB": only_b,
            "p": stats.binomtest(only_a, only_a + only_b, 0.5).pvalue}


def passes(n, c, k):
    total = comb(n, k)
    return {"n": n, "c": c, "k": k, "at": float(1 - Fraction(comb(n - c, k), total)),
            "hat": float(Fraction(comb(c, k), total))}


random = numpy.random.default_rng(1)
shares = (random.integers(0, 4, 40) / 3).tolist()
reach = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
print(json.dumps({
    "madeWith": {"scipy": scipy.__version__, "numpy": numpy.__version__},
    "cdf": [[x, stats.norm.cdf(x)] for x in [-8, -3.5, -3, -1.96, -0.5, 0, 0.1, 1, 2.9, 3.1, 6]],
    "quantile": [[p, stats.norm.ppf(p)] for p in [1e-9, 0.001, 0.025, 0.2, 0.5, 0.8, 0.975, 0.9999]],
    "wilson": [interval(*one) for one in [(0, 10, 0.95), (10, 10, 0.95), (3, 10, 0.95),
                                          (307, 500, 0.95), (1, 89, 0.9), (231, 731, 0.99)]],
    "passes": [passes(n, c, k) for n in range(1, 7) for c in range(n + 1) for k in range(1, n + 1)],
    "mcnemar": [mcnemar(*one) for one in [(0, 1), (1, 1), (3, 9), (40, 61), (0, 12), (130, 131)]],
    "paired": [paired(one) for one in [[1, -1, 1, 1], [2, 0, -1, 3, 1, -2, 1], [3, 3, 3, -1, -1],
                                       [1, 1, 1, 1, 1, -1, 2, -3, 0, 1, 2]]],
    "numpyQuantile": [[p, numpy.quantile([1.5, 2, 4, 8, 16.25], p)] for p in [0, 0.1, 0.5, 0.9, 1]],
    "standardDeviation": {"values": shares, "value": numpy.std(shares, ddof=1)},
    "bootstrap": [bootstrap(shares, 2000, 7), bootstrap([0, 1, 1, 0, 1 / 3], 500, 20260101)],
    "power": [{"tasks": n, "spread": s, "smallest": reach * s / sqrt(n)}
              for n in [89, 500, 731] for s in [0.3, sqrt(0.26), sqrt(0.26 / 3)]],
}, indent=1))
