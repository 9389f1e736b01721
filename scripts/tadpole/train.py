"""Trains the model on CPU: `train.py --data FILES --tokenizer FILE --out FOLDER --minutes N [--from FILE]`.

bfloat16 with float32 masters; Muon for the matrices, AdamW for the rest. A checkpoint is written every
few minutes and taken up again when it is there, the time already spent counted. What the model does not
write itself (issues, observations) counts a little, and ever less, so that it learns the language of
files; turns of weight 0 (mistakes made on purpose) do not count at all. Which line is wrong is the hard
part, and one token in four hundred: so its number counts more, and a probe in the midst of the network
has to tell it of each line that is shown. The long conversations come late.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch import Tensor

from labels import marks_of, said_line, spans_of
from model import Model, Shape
from render import turns_of

# Tokens, the weight of each, and of those that end a line of the file: is it the wrong one (1, 0; -1 for all others)?
Document = tuple[Tensor, Tensor, Tensor]

TOKENS_A_BATCH = 4096
BATCHES_A_STEP = 2
MATRIX_RATE = 0.02
OTHER_RATE = 1e-3
WEIGHT_OF_OTHERS = 0.15
# Of that weight from 0.6 of the time on: names drawn by chance cannot be told, and would outweigh what is to be learnt.
OTHERS_AT_END = 0.1
MOST_TOKENS = 1800
# One in six conversations is longer, and they are nearly half of all tokens: from nothing, not until this part of the time.
SHORT_TOKENS, SHORT_PART = 560, 0.65
WEIGHT_OF_PROBE = 0.4
# Each new shape has the processor's kernels made for it; so there are few.
TOKENS_A_LENGTH = 32
HELD_BACK = 100
CHECKPOINT_SECONDS = 180
# qkv and gate_up hold several matrices in one; each is orthogonalised by itself.
PARTS = {"qkv": 3, "gate_up": 2}


def encode(tokenizer: Tokenizer, row: dict) -> Document:
    ids: list[int] = []
    weights: list[float] = []
    marks: list[float] = []
    turns = turns_of(row["messages"])
    told = [said for role, text, weight in turns if role == "assistant" and weight == 1 and (said := said_line(text))]
    wrong = int(told[-1]["number"]) if told else None
    for role, text, weight in turns:
        head = tokenizer.encode(f"<|im_start|>{role}\n").ids
        body = tokenizer.encode(f"{text}<|im_end|>\n")
        own = weight if role == "assistant" else WEIGHT_OF_OTHERS
        ids += head + body.ids
        # The newline after the end of a turn is the template's, never the model's.
        weights += [WEIGHT_OF_OTHERS] * len(head) + [own] * (len(body.ids) - 1) + [0.0]
        for more, first, last in spans_of(text) if own == 1 else []:
            for token, (start, end) in enumerate(body.offsets, len(weights) - len(body.ids)):
                if start < last and end > first:
                    weights[token] = more
        marks += [-1.0] * len(head)
        marks += marks_of(text, body.offsets, wrong) if role == "tool" and wrong else [-1.0] * len(body.ids)
    return torch.tensor(ids), torch.tensor(weights), torch.tensor(marks)


def documents(tokenizer: Tokenizer, files: list[Path]) -> list[Document]:
    rows = (json.loads(line) for file in files for line in file.open())
    encoded = (encode(tokenizer, row) for row in rows)
    return [document for document in encoded if len(document[0]) <= MOST_TOKENS]


def short(documents: list[Document]) -> list[Document]:
    return [document for document in documents if len(document[0]) <= SHORT_TOKENS]


def batches(documents: list[Document], rng: random.Random) -> Iterator[list[Document]]:
    """Batches of about TOKENS_A_BATCH tokens with documents of like length, forever."""
    while True:
        rng.shuffle(documents)
        for start in range(0, len(documents), 2000):
            ordered = sorted(documents[start : start + 2000], key=lambda document: len(document[0]))
            made: list[list[Document]] = [[]]
            for document in ordered:
                if made[-1] and (len(made[-1]) + 1) * padded_length(document) > TOKENS_A_BATCH:
                    made.append([])
                made[-1].append(document)
            rng.shuffle(made)
            yield from made


def padded_length(document: Document) -> int:
    """One more than a multiple: the last token is only a target."""
    return -(-(len(document[0]) - 1) // TOKENS_A_LENGTH) * TOKENS_A_LENGTH + 1


def padded(batch: list[Document]) -> Document:
    longest = max(map(padded_length, batch))
    made = [torch.full((len(batch), longest), fill) for fill in (0, 0.0, -1.0)]
    for row, document in enumerate(batch):
        for whole, own in zip(made, document):
            whole[row, : len(own)] = own
    return made[0], made[1], made[2]


def judged(model: Model, ids: Tensor, weights: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Logits, target and weight of each token that counts, and what the probe says of every token."""
    hidden, probed = model.read(ids[:, :-1])
    targets, own = ids[:, 1:].flatten(), weights[:, 1:].flatten()
    kept = own > 0
    return F.linear(hidden.flatten(0, 1)[kept], model.embedding.weight).float(), targets[kept], own[kept], probed


class Muon:
    """Momentum, orthogonalised by five Newton-Schulz steps (Jordan et al. 2024), all matrices of a shape at once."""

    def __init__(self, masters: dict[str, Tensor]) -> None:
        self.masters = masters
        self.momentum = {name: torch.zeros_like(weight) for name, weight in masters.items()}

    def step(self, gradients: dict[str, Tensor], rate: float) -> None:
        alike: dict[tuple[int, int, int], list[str]] = {}
        for name, master in self.masters.items():
            self.momentum[name].mul_(0.95).add_(gradients[name])
            parts = PARTS.get(name.split(".")[-2], 1)
            alike.setdefault((parts, master.shape[0] // parts, master.shape[1]), []).append(name)
        for (parts, rows, columns), names in alike.items():
            updates = torch.stack([gradients[name].add(self.momentum[name].bfloat16(), alpha=0.95) for name in names])
            found = orthogonal(updates.view(-1, rows, columns)) * math.sqrt(max(1.0, rows / columns))
            for name, update in zip(names, found.view(len(names), parts * rows, columns)):
                self.masters[name].mul_(1 - rate * 0.05).add_(update, alpha=-rate)


def orthogonal(matrix: Tensor) -> Tensor:
    tall = matrix.shape[-2] > matrix.shape[-1]
    x = matrix.mT if tall else matrix
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(5):
        square = x @ x.mT
        x = 3.4445 * x + (-4.7750 * square + 2.0315 * (square @ square)) @ x
    return x.mT if tall else x


class Trainer:
    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.folder = Path(arguments.out)
        self.tokenizer = Tokenizer.from_file(arguments.tokenizer)
        self.rng = random.Random(arguments.seed)
        torch.manual_seed(arguments.seed)
        found = documents(self.tokenizer, [Path(file) for file in arguments.data])
        self.rng.shuffle(found)
        held_back = min(HELD_BACK, len(found) // 10)
        self.checks, self.documents = found[:held_back], found[held_back:]
        shape = Shape(vocabulary=self.tokenizer.get_vocab_size())
        self.masters = Model(shape)
        self.model = Model(shape)
        self.spent, self.steps, self.tokens = 0.0, 0, 0
        named = dict(self.masters.named_parameters())
        matrices = {name: weight.data for name, weight in named.items() if name.startswith("blocks.") and weight.dim() == 2}
        self.muon = Muon(matrices)
        self.others = [name for name in named if name not in matrices]
        self.adam = torch.optim.AdamW([named[name] for name in self.others], lr=OTHER_RATE, betas=(0.9, 0.98), weight_decay=0.0)
        if arguments.start is not None:
            self.masters.load_state_dict(torch.load(arguments.start)["weights"])
        self._resume()
        self.model.load_state_dict(self.masters.state_dict())
        self.model.bfloat16()
        count = sum(weight.numel() for weight in self.model.parameters())
        all_tokens = sum(len(document[0]) for document in self.documents)
        print(f"train: {count / 1e6:.2f} M parameters, {len(self.documents)} conversations, {all_tokens / 1e6:.2f} M tokens", flush=True)
        if arguments.compile:
            for block in self.model.blocks:
                block.compile(dynamic=True)

    def _resume(self) -> None:
        file = self.folder / "checkpoint.pt"
        if not file.exists():
            return
        saved = torch.load(file)
        self.masters.load_state_dict(saved["weights"])
        self.adam.load_state_dict(saved["adam"])
        self.muon.momentum = saved["momentum"]
        self.spent, self.steps, self.tokens = saved["spent"], saved["steps"], saved["tokens"]
        # The order of what comes is not that of a run without a break, but never the same again.
        self.rng.seed(self.arguments.seed + self.steps)
        print(f"train: taken up after {self.spent / 60:.1f} minutes", flush=True)

    def save(self, spent: float) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        saved = dict(
            weights=self.masters.state_dict(), shape=self.masters.shape.as_dict(), adam=self.adam.state_dict(),
            momentum=self.muon.momentum, spent=spent, steps=self.steps, tokens=self.tokens,
        )
        torch.save(saved, self.folder / "checkpoint.tmp")
        # A run that is ended while it writes keeps its last whole checkpoint.
        os.replace(self.folder / "checkpoint.tmp", self.folder / "checkpoint.pt")

    def run(self) -> None:
        budget, started, saved_at, shown_at = self.arguments.minutes * 60, time.monotonic(), time.monotonic(), 0.0
        supply = batches(self.documents, self.rng)
        early = batches(short(self.documents), self.rng)
        smooth = probed = None
        while (spent := self.spent + time.monotonic() - started) < budget:
            part = spent / budget
            others = OTHERS_AT_END if self.arguments.start else max(OTHERS_AT_END, 1 - (1 - OTHERS_AT_END) * part / 0.6)
            only_short = not self.arguments.start and part < SHORT_PART
            parts = [padded(next(early if only_short else supply)) for _ in range(BATCHES_A_STEP)]
            weighed = [(ids, torch.where(weights < 1, weights * others, weights), marks) for ids, weights, marks in parts]
            loss, probe_loss = self.step(weighed, self.arguments.rate * rate_at(part, self.steps))
            smooth = loss if smooth is None else 0.95 * smooth + 0.05 * loss
            probed = probe_loss if probed is None else 0.95 * probed + 0.05 * probe_loss
            if time.monotonic() - saved_at > CHECKPOINT_SECONDS:
                self.save(spent)
                saved_at = time.monotonic()
            if time.monotonic() - shown_at > 30:
                print(f"train: step {self.steps}, {spent / 60:.1f} min, {self.tokens / 1e6:.2f} M tokens, loss {smooth:.4f}, of the probe {probed:.4f}", flush=True)
                shown_at = time.monotonic()
        self.save(spent)
        print(f"train: ended at step {self.steps}, {self.tokens / 1e6:.2f} M tokens; {self.check()}", flush=True)

    def step(self, parts: list[Document], rate: float) -> tuple[float, float]:
        """The two losses: of what it writes, and of its probe."""
        whole = sum(weights[:, 1:].sum() for _, weights, _ in parts)
        lines = max(1, sum(int((marks >= 0).sum()) for _, _, marks in parts))
        total = probe_total = 0.0
        for ids, weights, marks in parts:
            logits, targets, own, probed = judged(self.model, ids, weights)
            share = (F.cross_entropy(logits, targets, reduction="none") * own).sum() / whole
            shown = marks[:, :-1] >= 0
            probe = F.binary_cross_entropy_with_logits(probed[shown].float(), marks[:, :-1][shown], reduction="sum") / lines
            (share + WEIGHT_OF_PROBE * probe).backward()
            total += share.item()
            probe_total += probe.item()
            self.tokens += int((ids > 0).sum())
        named = dict(self.model.named_parameters())
        masters = dict(self.masters.named_parameters())
        with torch.no_grad():
            gradients = {name: weight.grad for name, weight in named.items()}
            for name in self.others:
                masters[name].grad = gradients[name].float()
            torch.nn.utils.clip_grad_norm_([masters[name] for name in self.others], 1.0)
            for group in self.adam.param_groups:
                group["lr"] = OTHER_RATE * rate
            self.adam.step()
            self.muon.step(gradients, MATRIX_RATE * rate)
            for name, weight in named.items():
                weight.copy_(masters[name])
                weight.grad = None
        self.steps += 1
        return total, probe_total

    def check(self) -> str:
        """How well the held-back conversations' own turns are told."""
        count = right = 0
        with torch.no_grad():
            for start in range(0, len(self.checks), 8):
                ids, weights, _ = padded(self.checks[start : start + 8])
                logits, targets, own, _ = judged(self.model, ids, weights)
                count += int((own >= 1).sum())
                right += int((logits.argmax(-1) == targets)[own >= 1].sum())
        return f"{right} of {count} tokens of held-back conversations right"


def rate_at(part: float, steps: int) -> float:
    """Up over 40 steps, level until 0.3 of the time, then down a cosine."""
    start = min(1.0, (steps + 1) / 40)
    if part < 0.3:
        return start
    return start * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * (part - 0.3) / 0.7)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", nargs="+", required=True)
    parser.add_argument("--tokenizer", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--minutes", type=float, default=90)
    parser.add_argument("--from", dest="start", help="checkpoint with the weights to begin from")
    parser.add_argument("--rate", type=float, default=1, help="of learning, as a share of the usual")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--compile", action=argparse.BooleanOptionalAction, default=True)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    Trainer(arguments).run()


if __name__ == "__main__":
    main()
