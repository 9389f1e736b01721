"""Makes the tokenizer: `tokenizer.py SIZE DATA... OUT`. Byte-level pairs, digits one by one so that
numbers and line numbers are read alike whatever their length (llama.cpp's pre-type `smollm`)."""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from render import SPECIAL, turns_of

LINES_A_FILE = 4000


def texts(files: list[Path]) -> Iterator[str]:
    for file in files:
        with file.open() as lines:
            for line in itertools.islice(lines, LINES_A_FILE):
                for _, text, _ in turns_of(json.loads(line)["messages"]):
                    # The marks of a call are tokens of their own; pairs must not grow over them.
                    yield text.replace("<tool_call>", "").replace("</tool_call>", "")
    yield "system\nuser\nassistant\ntool\n"


def main() -> None:
    size, *files, out = int(sys.argv[1]), *map(Path, sys.argv[2:])
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size, special_tokens=SPECIAL, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False, min_frequency=3,
    )
    tokenizer.train_from_iterator(texts(files), trainer)
    tokenizer.save(str(out))
    print(f"tokenizer: {tokenizer.get_vocab_size()} tokens")


if __name__ == "__main__":
    main()
