"""Many replies at once, sampled as `resources/scaffolds/tadpole.yaml` says, only cooler."""

from __future__ import annotations

from pathlib import Path

import torch
import torch.nn.functional as F
import yaml
from torch import Tensor

from model import Model
from render import END_OF_TURN

# Prompts read at a time: attention over all their tokens takes memory.
A_READ = 16
SCAFFOLD = Path(__file__).parents[2] / "resources" / "scaffolds" / "tadpole.yaml"
SAMPLING = yaml.safe_load(SCAFFOLD.read_text())["sampling"]
TOP_P, TOP_K = SAMPLING["topP"], SAMPLING["topK"]
# The mistakes that are worth a lesson are the likely ones.
TEMPERATURE = 0.7


@torch.no_grad()
def replies(model: Model, prompts: list[list[int]], samples: int, most: int) -> list[list[list[int]]]:
    """`samples` replies to each prompt, as tokens without the end of the turn; prompts of like length cost least."""
    longest = max(map(len, prompts))
    ids = torch.tensor([[0] * (longest - len(prompt)) + prompt for prompt in prompts])
    # Left of a prompt is nothing; positions are relative, so they may begin anywhere.
    seen = torch.zeros(len(prompts), longest + most, dtype=torch.bool)
    for row, prompt in enumerate(prompts):
        seen[row, longest - len(prompt) : longest] = True
    shape = model.shape
    size = (shape.layers, len(prompts), shape.heads, longest + most, shape.head_width)
    cache = (torch.zeros(size), torch.zeros(size))
    first = torch.cat([read(model, ids[at : at + A_READ], cache, seen, at) for at in range(0, len(prompts), A_READ)])
    cache = (cache[0].repeat_interleave(samples, 1), cache[1].repeat_interleave(samples, 1))
    seen, ids = seen.repeat_interleave(samples, 0), sampled(first.repeat_interleave(samples, 0))
    rows, found = list(range(len(ids))), [[] for _ in range(len(ids))]
    ended = torch.zeros(len(ids), dtype=torch.bool)
    for at in range(longest, longest + most):
        ended |= ids == END_OF_TURN
        for row, token, over in zip(rows, ids.tolist(), ended.tolist()):
            if not over:
                found[row].append(token)
        if ended.all():
            break
        if ended.float().mean() > 0.2:
            # What has ended costs as much as what goes on.
            kept = ~ended
            rows = [row for row, keep in zip(rows, kept.tolist()) if keep]
            cache = (cache[0][:, kept], cache[1][:, kept])
            seen, ids, ended = seen[kept], ids[kept], ended[kept]
        seen[:, at] = True
        ids = sampled(further(model, ids[:, None], cache, unseen(seen[:, : at + 1]), at))
    return [found[at : at + samples] for at in range(0, len(found), samples)]


def read(model: Model, ids: Tensor, cache: tuple[Tensor, Tensor], seen: Tensor, first: int) -> Tensor:
    """Logits after some of the prompts; fills their part of the cache."""
    count, length = ids.shape
    own = (cache[0][:, first : first + count], cache[1][:, first : first + count])
    mask = unseen(seen[first : first + count, :length]) + torch.full((length, length), -1e4).triu(1)
    return further(model, ids, own, mask, 0)


def unseen(seen: Tensor) -> Tensor:
    return (~seen[:, None, None]).float() * -1e4


def further(model: Model, ids: Tensor, cache: tuple[Tensor, Tensor], mask: Tensor, at: int) -> Tensor:
    """Logits after these tokens, which stand at `at`."""
    end = at + ids.shape[1]
    x = model.embedding(ids)
    for number, block in enumerate(model.blocks):
        q, k, v = block.heads_of(x, model.cos[at:end], model.sin[at:end])
        cache[0][number, :, :, at:end], cache[1][number, :, :, at:end] = k, v
        scores = (q @ cache[0][number, :, :, :end].transpose(-1, -2)) * block.head_width**-0.5 + mask
        x = block.rest(x, scores.softmax(-1) @ cache[1][number, :, :, :end])
    return F.linear(model.norm(x[:, -1]), model.embedding.weight)


def sampled(logits: Tensor) -> Tensor:
    """One token of each row: the likeliest TOP_K, of those what makes up TOP_P, by chance."""
    best, order = logits.topk(TOP_K)
    best = (best / TEMPERATURE).softmax(-1)
    # The first that passes TOP_P still belongs to it.
    best = best.masked_fill(best.cumsum(-1) - best > TOP_P, 0)
    return order.gather(1, best.multinomial(1))[:, 0]
