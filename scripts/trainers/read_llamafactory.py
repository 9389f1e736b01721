"""What LLaMA-Factory makes of each row: `read_llamafactory.py ROWS CUTOFF OUT`. Its own loader, converters,
templates and cut; no model is loaded."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from datetime import date
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Any

os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", HF_DATASETS_OFFLINE="1", CUDA_VISIBLE_DEVICES="")

import torch
from llamafactory.data.converter import get_dataset_converter
from llamafactory.data.loader import _get_dataset_processor, get_dataset
from llamafactory.data.parser import get_dataset_list
from llamafactory.data.template import get_template_and_fix_tokenizer
from llamafactory.hparams import get_train_args
from llamafactory.model import load_tokenizer
from llamafactory.train.tuner import run_exp
from transformers import Qwen3Config, Qwen3ForCausalLM

# The second puts no empty thought into replies that have none.
TEMPLATES = {"": "qwen3", "-nothink": "qwen3_nothink"}
IGNORED = -100


def whole(rows: Path, folder: Path, template: str, cutoff: int, work: str, kept: list[str]) -> list[int]:
    """Lengths of the rows of a file, read as a training reads it: by `datasets` and `get_dataset`."""
    own = Path(tempfile.mkdtemp(dir=work))
    shutil.copy(folder / "dataset_info.json", own)
    (own / "train.jsonl").write_text("".join(f"{line}\n" for line in kept))
    reader = Reader(rows, own, template, cutoff, work)
    found = get_dataset(
        reader.template, reader.model_args, reader.data_args, reader.training_args, "sft", reader.tokenizer
    )
    return [len(ids) for ids in found["train_dataset"]["input_ids"]]


class Reader:
    """One `dataset_info.json` with its files, read as a training would."""

    def __init__(self, rows: Path, folder: Path, template: str, cutoff: int, work: str) -> None:
        settings = {
            "stage": "sft", "do_train": True, "template": template, "cutoff_len": cutoff,
            "model_name_or_path": str(rows / "tokenizer"), "output_dir": work, "finetuning_type": "full",
            "dataset_dir": str(folder), "dataset": "vivarium_train", "overwrite_cache": True, "report_to": "none",
            "use_cpu": True,
        }
        self.model_args, self.data_args, self.training_args, _, _ = get_train_args(settings)
        self.tokenizer = load_tokenizer(self.model_args)["tokenizer"]
        self.template = get_template_and_fix_tokenizer(self.tokenizer, self.data_args)
        [attributes] = get_dataset_list(["vivarium_train"], str(folder))
        self.convert = get_dataset_converter(attributes.formatting, attributes, self.data_args)
        self.processor = _get_dataset_processor(self.data_args, "sft", self.template, self.tokenizer, None)

    def row(self, value: dict[str, Any]) -> dict[str, Any]:
        try:
            aligned = self.convert(value)
            made = self.processor.preprocess_dataset({key: [one] for key, one in aligned.items()})
        except Exception as error:
            return {"verdict": "failed", "why": why(error)}
        if not made.get("input_ids"):
            return {"verdict": "skipped"}
        messages = aligned["_prompt"] + aligned["_response"]
        pairs = self.template.encode_multiturn(self.tokenizer, messages, aligned["_system"], aligned["_tools"])
        tokens = sum(len(source) + len(target) for source, target in pairs)
        [ids], [labels] = made["input_ids"], made["labels"]
        learned = sum(label != IGNORED for label in labels)
        return {
            "verdict": "cut" if len(ids) < tokens else "whole", "tokens": tokens, "learned": learned,
            "masked": len(ids) - learned, "cut": tokens - len(ids),
            "pairs": [[len(source), len(target)] for source, target in pairs],
        }


def train_step(rows: Path, cutoff: int, work: str) -> int:
    """Trains a model of a few thousand weights on `sharegpt` for one step; returns how many were done."""
    torch.manual_seed(1)
    model = Path(work) / "model"
    shutil.copytree(rows / "tokenizer", model)
    tokens = len(json.loads((model / "tokenizer.json").read_text())["model"]["vocab"])
    Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=tokens, hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=1,
            num_key_value_heads=1, head_dim=8, max_position_embeddings=16384, tie_word_embeddings=True,
        )
    ).save_pretrained(model)
    out = Path(work) / "trained"
    run_exp(
        {
            "stage": "sft", "do_train": True, "template": TEMPLATES[""], "cutoff_len": cutoff,
            "model_name_or_path": str(model), "output_dir": str(out), "finetuning_type": "full",
            "dataset_dir": str(rows / "sharegpt"), "dataset": "vivarium_train", "overwrite_cache": True,
            "report_to": "none", "use_cpu": True, "max_steps": 1, "per_device_train_batch_size": 1,
            "save_strategy": "no", "logging_steps": 1,
        }
    )
    return json.loads((out / "trainer_state.json").read_text())["global_step"]


def why(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0][:80]


def lines(file: Path) -> list[str]:
    return [line for line in file.read_text().split("\n") if line]


def main() -> None:
    rows, cutoff, out = Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    files: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as work:
        for name, (end, template) in product(("sharegpt", "openai", "openai-text"), TEMPLATES.items()):
            reader = Reader(rows, rows / name, template, cutoff, work)
            given = lines(rows / name / "train.jsonl")
            read = [reader.row(json.loads(line)) for line in given]
            # One that it stops at would hide the others.
            kept = [line for line, found in zip(given, read, strict=True) if found["verdict"] != "failed"]
            lengths = whole(rows, rows / name, template, cutoff, work, kept)
            files[name + end] = {"template": template, "lengths": lengths, "rows": read}
        for name in ("sharegpt", "openai"):
            reader = Reader(rows, rows / name, TEMPLATES[""], cutoff, work)
            odd = [reader.row(json.loads(line)) for line in lines(rows / "odd" / f"{name}.jsonl")]
            files[f"odd-{name}"] = {"rows": odd}
        steps = train_step(rows, cutoff, work)
    packages = ("llamafactory", "transformers", "datasets", "tokenizers", "torch")
    fixture = {
        "made": date.today().isoformat(), "versions": {name: version(name) for name in packages},
        "cutoff": cutoff, "files": files, "trained_steps": steps,
    }
    out.write_text(json.dumps(fixture, indent=1) + "\n")


if __name__ == "__main__":
    main()
