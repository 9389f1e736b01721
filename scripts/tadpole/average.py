"""The mean of the weights of several checkpoints of one training: `average.py CHECKPOINTS OUT`.

Stages of a training that each went on from the one before lie near each other; their mean gets more
fresh tasks right than any of them (Izmailov et al. 2018; Wortsman et al. 2022).
"""

from __future__ import annotations

import sys

import torch


def main() -> None:
    *files, out = sys.argv[1:]
    saved = [torch.load(file) for file in files]
    weights = {name: sum(each["weights"][name] for each in saved) / len(saved) for name in saved[0]["weights"]}
    torch.save(dict(weights=weights, shape=saved[0]["shape"]), out)


if __name__ == "__main__":
    main()
