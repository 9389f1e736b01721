"""The trained weights by llama.cpp's names and in transformers' Qwen3."""

from __future__ import annotations

import torch
from torch import Tensor
from transformers import Qwen3Config, Qwen3ForCausalLM

from model import Model, Shape
from render import END_OF_TURN

TRANSFORMERS_NAMES = {
    "attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm", "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj",
    "attn_q_norm": "self_attn.q_norm", "attn_k_norm": "self_attn.k_norm", "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj",
}


def load(checkpoint: str) -> Model:
    """The model of a checkpoint of `train.py`, in float32."""
    saved = torch.load(checkpoint)
    model = Model(Shape(**saved["shape"])).eval()
    model.load_state_dict(saved["weights"])
    return model


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


def as_transformers(model: Model) -> Qwen3ForCausalLM:
    """transformers' own network with these weights."""
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
    found = tensors(model)
    named = {"lm_head.weight": found["token_embd.weight"], "model.embed_tokens.weight": found["token_embd.weight"],
             "model.norm.weight": found["output_norm.weight"]}
    for name, weight in found.items():
        if name.startswith("blk."):
            _, number, part, _ = name.split(".")
            named[f"model.layers.{number}.{TRANSFORMERS_NAMES[part]}.weight"] = weight
    other.load_state_dict(named)
    return other
