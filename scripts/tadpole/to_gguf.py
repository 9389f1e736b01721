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
from transformers import Qwen3Config, Qwen3ForCausalLM

from model import Model, Shape, load
from render import CHAT_TEMPLATE, END_OF_TURN

MOST_DIFFERENCE = 1e-2
QUANTISATION = gguf.GGMLQuantizationType.Q8_0


def tensors(model: Model) -> dict[str, Tensor]:
    """By llama.cpp's names."""
    found = {"token_embd.weight": model.embedding.weight, "output_norm.weight": model.norm.weight}
    for number, block in enumerate(model.blocks):
        q, k, v = block.qkv.weight.chunk(3, 0)
        gate, up = block.gate_up.weight.chunk(2, 0)
        own = {
            "attn_norm": block.norm_attention.weight, "ffn_norm": block.norm_mlp.weight,
            "attn_q": q, "attn_k": k, "attn_v": v, "attn_output": block.out.weight,
            "attn_q_norm": block.norm_q.weight, "attn_k_norm": block.norm_k.weight,
            "ffn_gate": gate, "ffn_up": up, "ffn_down": block.down.weight,
        }
        found |= {f"blk.{number}.{name}.weight": weight for name, weight in own.items()}
    return {name: weight.detach().float() for name, weight in found.items()}


TRANSFORMERS_NAMES = {
    "attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm", "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj",
    "attn_q_norm": "self_attn.q_norm", "attn_k_norm": "self_attn.k_norm", "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj",
}


def difference(model: Model, found: dict[str, Tensor]) -> float:
    """Largest difference of a logit from transformers' own network."""
    shape = model.shape
    other = Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=shape.vocabulary, hidden_size=shape.width, intermediate_size=shape.feed_forward,
            num_hidden_layers=shape.layers, num_attention_heads=shape.heads, num_key_value_heads=shape.heads,
            head_dim=shape.head_width, max_position_embeddings=shape.context, rms_norm_eps=1e-6,
            rope_parameters={"rope_type": "default", "rope_theta": shape.theta}, tie_word_embeddings=True,
            attention_bias=False, bos_token_id=None, eos_token_id=END_OF_TURN, pad_token_id=0,
        )
    ).eval()
    named = {"lm_head.weight": found["token_embd.weight"], "model.embed_tokens.weight": found["token_embd.weight"],
             "model.norm.weight": found["output_norm.weight"]}
    for name, weight in found.items():
        if name.startswith("blk."):
            _, number, part, _ = name.split(".")
            named[f"model.layers.{number}.{TRANSFORMERS_NAMES[part]}.weight"] = weight
    other.load_state_dict(named)
    ids = torch.randint(0, shape.vocabulary, (1, 50), generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        return float((other(ids).logits - model(ids)).abs().max())


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
    found = tensors(model)
    worst = difference(model, found)
    if worst > MOST_DIFFERENCE:
        sys.exit(f"transformers' Qwen3 gives other logits with these weights: {worst}")
    write(out, model.shape, json.loads(tokenizer_file.read_text()), found)
    print(f"gguf: {out.stat().st_size / 1e6:.2f} MB; transformers differs by {worst:.1e} at most")


if __name__ == "__main__":
    main()
