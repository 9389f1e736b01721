"""Makes the models that the tests against a real vLLM serve: whole, well-formed, a megabyte, with
random weights. They say nothing that means anything; a grammar makes their tool calls valid.

    .cache/vllm/venv/bin/python scripts/make-tiny-models.py FOLDER

Writes FOLDER/tiny-qwen3 and, where the installed transformers knows that architecture,
FOLDER/tiny-qwen35. The same sources give the same files.
"""

import json
import os
import shutil
import sys
from pathlib import Path

# Nothing here may ask a hub, whatever the person's own environment says.
os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", TOKENIZERS_PARALLELISM="false")

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = ROOT / "scripts" / "vllm"
SEED = 20261129
VOCABULARY = 2048
CONTEXT = 8192
HIDDEN = 64
SHARD_BYTES = 450_000
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
MARKS = ["<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>"]
END = [2, 0]  # <|im_end|>, <|endoftext|>


def train_tokenizer():
    """A byte-level BPE tokenizer, trained on the sources of this repository."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY - len(MARKS),
        special_tokens=SPECIAL,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    sources = sorted(path for path in (ROOT / "src-main").rglob("*.ts"))
    tokenizer.train_from_iterator((path.read_text() for path in sources), trainer)
    # As Qwen has them: one token each, and kept in the text, where a parser looks for them.
    tokenizer.add_tokens([AddedToken(mark, normalized=False, special=False) for mark in MARKS])
    return tokenizer


def write_json(file, value):
    file.write_text(json.dumps(value, indent=2) + "\n")


def write_tokenizer(folder, tokenizer, template, beside):
    """`beside`: the template as a file of its own, as newer models ship it, or in the config."""
    tokenizer.save(str(folder / "tokenizer.json"))
    config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": CONTEXT,
        "eos_token": "<|im_end|>",
        "pad_token": "<|endoftext|>",
        "clean_up_tokenization_spaces": False,
    }
    text = (TEMPLATES / template).read_text()
    if beside:
        (folder / "chat_template.jinja").write_text(text)
    else:
        config["chat_template"] = text
    write_json(folder / "tokenizer_config.json", config)


def write_card(folder, name, architecture):
    (folder / "README.md").write_text(
        f"---\nlicense: apache-2.0\nlibrary_name: transformers\n---\n# {name}\n\n"
        f"Random weights in the shape of {architecture}, for tests. It has learnt nothing.\n"
    )


def tiny_qwen3():
    from transformers import Qwen3Config, Qwen3ForCausalLM

    return Qwen3ForCausalLM, Qwen3Config(
        vocab_size=VOCABULARY,
        hidden_size=HIDDEN,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=32,
        max_position_embeddings=CONTEXT,
        tie_word_embeddings=False,
        eos_token_id=END[0],
        pad_token_id=END[1],
    )


def tiny_qwen35():
    from transformers import Qwen3_5ForCausalLM, Qwen3_5TextConfig

    return Qwen3_5ForCausalLM, Qwen3_5TextConfig(
        vocab_size=VOCABULARY,
        hidden_size=HIDDEN,
        intermediate_size=128,
        num_hidden_layers=4,
        full_attention_interval=4,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=64,
        linear_num_key_heads=1,
        linear_num_value_heads=2,
        linear_key_head_dim=128,  # what the CPU code has a kernel for
        linear_value_head_dim=128,
        max_position_embeddings=CONTEXT,
        tie_word_embeddings=False,
        eos_token_id=END[0],
        pad_token_id=END[1],
    )


def liking(text):
    """How much more likely than chance a token is, in units of a logit."""
    if text in ("<|im_end|>", "</think>"):
        return 3.0
    if text in SPECIAL or text in MARKS or text.strip() == "":
        return -9.0
    return 2.5 if set(text) <= set('"}],') else 0.0


def give_manners(model, tokenizer):
    """Pure chance would never end a thought, a string or the blanks that JSON allows anywhere.

    The first dimension of every embedding is the same constant, so it works as a bias that the
    output layer weighs for each token: what ends something is likely, blanks are not.
    """
    import torch

    constant, deviation, spread = 3.0, 1.0, 0.2
    with torch.no_grad():
        inputs = model.get_input_embeddings().weight
        inputs.normal_(0.0, deviation)
        inputs[:, 0] = constant
        outputs = model.get_output_embeddings().weight
        outputs.normal_(0.0, spread)
        likings = [liking(tokenizer.decode([token], skip_special_tokens=False))
                   for token in range(tokenizer.get_vocab_size())]
        # What the last normalisation makes of the constant.
        scale = constant / ((deviation**2 * (HIDDEN - 1) + constant**2) / HIDDEN) ** 0.5
        outputs[: len(likings), 0] = torch.tensor(likings) / scale


def make(folder, tokenizer, build, template, beside):
    import torch

    kind, config = build()
    torch.manual_seed(SEED)
    model = kind(config)
    give_manners(model, tokenizer)
    model = model.to(torch.bfloat16)
    # Written beside its place and then moved: a folder with the right name is a whole model.
    work = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(work, ignore_errors=True)
    model.generation_config.update(
        do_sample=True, eos_token_id=END, temperature=0.6, top_p=0.95, top_k=20
    )
    model.save_pretrained(work, max_shard_size=SHARD_BYTES)
    write_tokenizer(work, tokenizer, template, beside)
    write_card(work, folder.name, kind.__name__)
    shutil.rmtree(folder, ignore_errors=True)
    work.rename(folder)
    shards = len(list(folder.glob("*.safetensors")))
    count = sum(parameter.numel() for parameter in model.parameters())
    print(f"{folder.name}: {count} parameters, {shards} shards", flush=True)


def main():
    if len(sys.argv) != 2:
        print("usage: make-tiny-models.py FOLDER", file=sys.stderr)
        return 2
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    tokenizer = train_tokenizer()
    make(target / "tiny-qwen3", tokenizer, tiny_qwen3, "hermes.jinja", beside=False)
    try:
        from transformers import Qwen3_5TextConfig  # noqa: F401
    except ImportError:
        print("tiny-qwen35: left out, the installed transformers does not know Qwen3.5")
        return 0
    make(target / "tiny-qwen35", tokenizer, tiny_qwen35, "coder.jinja", beside=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
