"""What TRL makes of each row: `read_trl.py ROWS CUTOFF OUT`. Its own trainers prepare the files, for a
model of a few thousand weights that is made here; one step of training shows that they take them."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from datetime import date
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", HF_DATASETS_OFFLINE="1", CUDA_VISIBLE_DEVICES="")

import torch
from datasets import Dataset, load_dataset
from transformers import AutoTokenizer, Qwen3Config, Qwen3ForCausalLM
from trl import DPOConfig, DPOTrainer, KTOConfig, KTOTrainer, SFTConfig, SFTTrainer

IGNORED = -100


def tiny_model(tokens: int) -> Qwen3ForCausalLM:
    torch.manual_seed(1)
    return Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=tokens, hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=1,
            num_key_value_heads=1, head_dim=8, max_position_embeddings=16384, tie_word_embeddings=True,
        )
    )


def with_marks(template: str) -> str:
    """The template of the tadpole with generation marks around what a reply says."""
    head = "{{ '<|im_start|>' + m.role + '\\n' }}"
    tail = "{{ '<|im_end|>\\n' }}"
    body = template[template.index(head) + len(head) : template.index(tail)]
    end = "{{ '<|im_end|>' }}"
    return template.replace(
        body + tail,
        "{%- if m.role == 'assistant' %}{% generation %}" + body + end + "{% endgeneration %}{{ '\\n' }}"
        "{%- else %}" + body + tail + "{%- endif %}",
    )


class Reader:
    def __init__(self, rows: Path, cutoff: int, work: str) -> None:
        self.tokenizer = AutoTokenizer.from_pretrained(rows / "tokenizer")
        self.marked = AutoTokenizer.from_pretrained(rows / "tokenizer")
        self.marked.chat_template = with_marks(self.tokenizer.chat_template)
        self.settings = {
            "output_dir": work, "max_steps": 1, "per_device_train_batch_size": 1, "report_to": "none",
            "use_cpu": True, "max_length": cutoff, "save_strategy": "no", "bf16": False, "disable_tqdm": True,
        }
        self.cutoff = cutoff

    def model(self) -> Qwen3ForCausalLM:
        return tiny_model(len(self.tokenizer))

    def sft(self, data: Dataset, only_replies: bool, length: int | None, step: bool = False) -> Dataset:
        config = SFTConfig(**{**self.settings, "max_length": length}, assistant_only_loss=only_replies)
        tokenizer = self.marked if only_replies else self.tokenizer
        trainer = SFTTrainer(self.model(), config, train_dataset=data, processing_class=tokenizer)
        if step:
            trainer.train()
        return trainer.train_dataset

    def sft_rows(self, data: Dataset, only_replies: bool) -> list[dict[str, Any]]:
        """Each row alone: one that TRL refuses would hide the others."""
        return [self.sft_row(data.select([at]), only_replies) for at in range(len(data))]

    def sft_row(self, data: Dataset, only_replies: bool) -> dict[str, Any]:
        try:
            [ids] = self.sft(data, only_replies, None)["input_ids"]
            kept = self.sft(data, only_replies, self.cutoff)
        except Exception as error:
            return {"verdict": "failed", "why": why(error)}
        if len(kept) == 0:
            return {"verdict": "skipped", "tokens": len(ids)}
        return counted(len(ids), kept["labels"][0])

    def preference_rows(self, data: Dataset) -> list[dict[str, Any]]:
        config = DPOConfig(**self.settings)
        trainer = DPOTrainer(self.model(), self.model(), config, train_dataset=data, processing_class=self.tokenizer)
        trainer.train()
        return self.sides(trainer, len(data), ["chosen_ids", "rejected_ids"])

    def labelled_rows(self, data: Dataset) -> list[dict[str, Any]]:
        config = KTOConfig(**{**self.settings, "per_device_train_batch_size": 2})
        trainer = KTOTrainer(self.model(), self.model(), config, train_dataset=data, processing_class=self.tokenizer)
        return self.sides(trainer, len(data), ["completion_ids"])

    def sides(self, trainer: Any, count: int, names: list[str]) -> list[dict[str, Any]]:
        """What is left of the longest side behind its cut."""
        kept = {row["row"]: row for row in trainer.train_dataset}
        found = []
        for at in range(count):
            if at not in kept:
                found.append({"verdict": "skipped"})
                continue
            prompt = len(kept[at]["prompt_ids"])
            reply = max(len(kept[at][name]) for name in names)
            labels = [IGNORED] * prompt + [0] * reply
            found.append(counted(len(labels), labels[: self.cutoff]))
        return found


def counted(tokens: int, labels: list[int]) -> dict[str, Any]:
    learned = sum(label != IGNORED for label in labels)
    return {
        "verdict": "cut" if len(labels) < tokens else "whole", "tokens": tokens, "learned": learned,
        "masked": len(labels) - learned, "cut": tokens - len(labels),
    }


def digest(ids: list[int]) -> str:
    return sha256(" ".join(map(str, ids)).encode()).hexdigest()


def why(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0][:80]


def load(file: Path) -> Dataset:
    data = load_dataset("json", data_files=str(file), split="train")
    return data.add_column("row", list(range(len(data))))


def main() -> None:
    rows, cutoff, out = Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    files: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as work:
        reader = Reader(rows, cutoff, work)
        plain, brought = load(rows / "trl" / "train.jsonl"), load(rows / "trl-ids" / "train.jsonl")
        files["trl"] = {"rows": reader.sft_rows(plain, True)}
        files["trl-ids"] = {"rows": reader.sft_rows(brought, False)}
        # The file as a whole trains; its tokens are the ones it came with.
        whole = reader.sft(brought, False, None, step=True)
        files["trl-ids"]["same"] = [
            row["input_ids"] == given["input_ids"] for row, given in zip(whole, brought, strict=True)
        ]
        files["trl"]["unmarked"] = unmarked(reader, plain)
        # Tokens of the template and tokenizer of Python, for a comparison with llama.cpp's.
        made = reader.sft(plain, True, None, step=True)
        files["trl"]["digests"] = [digest(row["input_ids"]) for row in made]
        files["odd-trl"] = {"rows": odd_rows(reader, rows)}
        files["preference"] = {"rows": reader.preference_rows(load(rows / "preference" / "train.jsonl"))}
        files["unpaired"] = {"rows": reader.labelled_rows(load(rows / "unpaired" / "train.jsonl"))}
    packages = ("trl", "transformers", "datasets", "tokenizers", "torch")
    fixture = {
        "made": date.today().isoformat(), "versions": {name: version(name) for name in packages},
        "cutoff": cutoff, "files": files,
    }
    out.write_text(json.dumps(fixture, indent=1) + "\n")


def unmarked(reader: Reader, data: Dataset) -> str:
    """What TRL says to a template that has no generation marks."""
    reader.marked, marked = reader.tokenizer, reader.marked
    try:
        reader.sft(data, True, None)
        return "taken"
    except Exception as error:
        return why(error)
    finally:
        reader.marked = marked


def odd_rows(reader: Reader, rows: Path) -> list[dict[str, Any]]:
    found = []
    for line in (rows / "odd" / "trl.jsonl").read_text().split("\n"):
        if line:
            found.append(reader.sft_row(Dataset.from_list([json.loads(line)]), True))
    return found


if __name__ == "__main__":
    main()
