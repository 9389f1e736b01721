"""Writes the trained model as GGUF: `to_gguf.py CHECKPOINT TOKENIZER OUT`, after a comparison with the
same weights in transformers' Qwen3, so that a slip in the order of anything shows here."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import gguf
import numpy as np
import torch
from torch import Tensor

from as_transformers import as_transformers, load, tensors
from model import Model, Shape
from render import CHAT_TEMPLATE, END_OF_TURN

MOST_DIFFERENCE = 1e-2
QUANTISATION = gguf.GGMLQuantizationType.Q8_0


def difference(model: Model) -> float:
    """Largest difference of a logit from transformers' own network."""
    ids = torch.randint(0, model.shape.vocabulary, (1, 50), generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        return float((as_transformers(model)(ids).logits - model(ids)).abs().max())


def write(out: Path, shape: Shape, tokenizer: dict, found: dict[str, Tensor]) -> None:
    writer = gguf.GGUFWriter(str(out), "qwen3")
    writer.add_name("Tadpole")
    writer.add_context_length(shape.context)
    writer.add_embedding_length(shape.width)
    writer.add_block_count(shape.layers)
    writer.add_feed_forward_length(shape.feed_forward)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.heads)
    writer.add_key_length(shape.head_width)
    writer.add_value_length(shape.head_width)
    writer.add_rope_freq_base(shape.theta)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    vocabulary = sorted(tokenizer["model"]["vocab"], key=tokenizer["model"]["vocab"].get)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(vocabulary)
    # The marks of turns are control tokens; those of calls must come out as text.
    types = [gguf.TokenType.CONTROL] * 3 + [gguf.TokenType.USER_DEFINED] * 2
    writer.add_token_types(types + [gguf.TokenType.NORMAL] * (len(vocabulary) - len(types)))
    merges = tokenizer["model"]["merges"]
    writer.add_token_merges([" ".join(merge) if isinstance(merge, list) else merge for merge in merges])
    writer.add_eos_token_id(END_OF_TURN)
    writer.add_pad_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_add_bos_token(False)
    writer.add_chat_template(CHAT_TEMPLATE)
    for name, weight in found.items():
        values = weight.numpy().astype(np.float32)
        if values.ndim == 1:
            writer.add_tensor(name, values)
        else:
            writer.add_tensor(name, gguf.quants.quantize(values, QUANTISATION), raw_dtype=QUANTISATION)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main() -> None:
    checkpoint, tokenizer_file, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    model = load(checkpoint)
    worst = difference(model)
    if worst > MOST_DIFFERENCE:
        sys.exit(f"transformers' Qwen3 gives other logits with these weights: {worst}")
    write(out, model.shape, json.loads(tokenizer_file.read_text()), tensors(model))
    print(f"gguf: {out.stat().st_size / 1e6:.2f} MB; transformers differs by {worst:.1e} at most")


if __name__ == "__main__":
    main()
