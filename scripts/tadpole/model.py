"""The network: Qwen3's architecture, small, so that llama.cpp runs it as it is."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor

# Above this length the whole square of scores costs more than the fused kernel's start.
PLAIN_ATTENTION_UP_TO = 1024
# Blocks before the probe; those after it can act on what it had to find.
PROBED_AFTER = 4


@dataclass(frozen=True)
class Shape:
    vocabulary: int = 2048
    width: int = 256
    layers: int = 6
    heads: int = 3
    head_width: int = 64
    feed_forward: int = 768
    theta: float = 10_000.0
    context: int = 2048

    def as_dict(self) -> dict[str, float]:
        return asdict(self)


class Norm(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        return F.rms_norm(x, (x.shape[-1],), self.weight, 1e-6)


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    first, second = x.chunk(2, -1)
    return torch.cat((first * cos - second * sin, second * cos + first * sin), -1)


class Block(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads, self.head_width = shape.heads, shape.head_width
        inner = shape.heads * shape.head_width
        self.norm_attention, self.norm_mlp = Norm(shape.width), Norm(shape.width)
        self.norm_q, self.norm_k = Norm(shape.head_width), Norm(shape.head_width)
        self.qkv = nn.Linear(shape.width, 3 * inner, bias=False)
        self.out = nn.Linear(inner, shape.width, bias=False)
        self.gate_up = nn.Linear(shape.width, 2 * shape.feed_forward, bias=False)
        self.down = nn.Linear(shape.feed_forward, shape.width, bias=False)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor) -> Tensor:
        q, k, v = self.heads_of(x, cos, sin)
        if x.shape[1] <= PLAIN_ATTENTION_UP_TO:
            mixed = ((q @ k.transpose(-1, -2)) * self.head_width**-0.5 + mask).softmax(-1) @ v
        else:
            mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.rest(x, mixed)

    def heads_of(self, x: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Queries, keys and values, each batch x heads x length x width."""
        batch, length, _ = x.shape
        q, k, v = self.qkv(self.norm_attention(x)).view(batch, length, 3, self.heads, self.head_width).unbind(2)
        q = rotate(self.norm_q(q).transpose(1, 2), cos, sin)
        k = rotate(self.norm_k(k).transpose(1, 2), cos, sin)
        return q, k, v.transpose(1, 2)

    def rest(self, x: Tensor, mixed: Tensor) -> Tensor:
        """What follows the attention."""
        x = x + self.out(mixed.transpose(1, 2).reshape(x.shape[0], x.shape[1], -1))
        gate, up = self.gate_up(self.norm_mlp(x)).chunk(2, -1)
        return x + self.down(F.silu(gate) * up)


class Model(nn.Module):
    cos: Tensor
    sin: Tensor

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.embedding = nn.Embedding(shape.vocabulary, shape.width)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.norm = Norm(shape.width)
        # Only for the training, and no part of the GGUF: is the line that ends here the wrong one?
        self.probe = nn.Linear(shape.width, 1)
        for name, weight in self.named_parameters():
            if weight.dim() == 2:
                nn.init.normal_(weight, 0, 0.02 if "embedding" in name else 1 / math.sqrt(weight.shape[1]))
        for block in self.blocks:
            for linear in (block.out, block.down):
                # Each block adds to the stream; so it does not grow with their number.
                linear.weight.data.mul_(1 / math.sqrt(2 * shape.layers))
        steps = 1 / (shape.theta ** (torch.arange(0, shape.head_width, 2).float() / shape.head_width))
        angles = torch.outer(torch.arange(shape.context).float(), steps)
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def read(self, ids: Tensor) -> tuple[Tensor, Tensor]:
        """The last hidden states, batch x length x width, and what the probe says, batch x length."""
        length = ids.shape[1]
        x = self.embedding(ids)
        cos, sin = self.cos[:length].to(x.dtype), self.sin[:length].to(x.dtype)
        mask = torch.full((length, length), -1e4, dtype=x.dtype).triu(1)
        probed = x
        for number, block in enumerate(self.blocks, 1):
            x = block(x, cos, sin, mask)
            probed = x if number == PROBED_AFTER else probed
        return self.norm(x), self.probe(F.rms_norm(probed, (x.shape[-1],), None, 1e-6)).squeeze(-1)

    def forward(self, ids: Tensor) -> Tensor:
        return F.linear(self.read(ids)[0], self.embedding.weight)


def load(checkpoint: str) -> Model:
    """The model of a checkpoint of `train.py`, in float32."""
    saved = torch.load(checkpoint)
    model = Model(Shape(**saved["shape"])).eval()
    model.load_state_dict(saved["weights"])
    return model
