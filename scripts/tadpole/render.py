"""A conversation as the text that the model reads, turn by turn; the chat template in the GGUF gives
exactly this (`to_gguf.py` holds it)."""

from __future__ import annotations

from typing import Any

SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<tool_call>", "</tool_call>"]
END_OF_TURN = 2

CHAT_TEMPLATE = (
    "{%- for m in messages %}{{ '<|im_start|>' + m.role + '\\n' }}"
    "{%- if m.content %}{{ m.content }}{%- endif %}"
    "{%- if m.tool_calls %}{%- for t in m.tool_calls %}{%- if t.function %}{%- set t = t.function %}{%- endif %}"
    "{%- if m.content or not loop.first %}{{ '\\n' }}{%- endif %}"
    "{{ '<tool_call>\\n{\"name\": \"' + t.name + '\", \"arguments\": ' }}"
    "{%- if t.arguments is string %}{{ t.arguments }}{%- else %}{{ t.arguments | tojson }}{%- endif %}"
    "{{ '}\\n</tool_call>' }}{%- endfor %}{%- endif %}{{ '<|im_end|>\\n' }}{%- endfor %}"
    "{%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{%- endif %}"
)


def turns_of(messages: list[dict[str, Any]]) -> list[tuple[str, str, float]]:
    """(role, text, weight) of each message; weight 0 = not learnt, as in a turn that was a mistake."""
    turns: list[tuple[str, str, float]] = []
    for message in messages:
        text = message.get("content") or ""
        for call in message.get("tool_calls", []):
            function = call["function"]
            text += "\n" if text else ""
            text += f'<tool_call>\n{{"name": "{function["name"]}", "arguments": {function["arguments"]}}}\n</tool_call>'
        turns.append((message["role"], text, float(message.get("weight", 1))))
    return turns


def prompt_of(messages: list[dict[str, Any]]) -> str:
    """What the model reads when its next turn is due."""
    text = "".join(f"<|im_start|>{role}\n{text}<|im_end|>\n" for role, text, _ in turns_of(messages))
    return f"{text}<|im_start|>assistant\n"
