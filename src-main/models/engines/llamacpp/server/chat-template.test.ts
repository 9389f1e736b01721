import { describe, expect, it } from 'vitest';
import { chatRequestSchema, type ChatRequest } from './chat-request.ts';
import { compileTemplate } from './chat-template.ts';

const TOKENS = { bos: '<s>', eos: '</s>' };

const request = (value: object): ChatRequest => chatRequestSchema.parse(value);

const CALL_HISTORY = request({
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Fix ' },
        { type: 'text', text: 'it.' },
      ],
    },
    {
      role: 'assistant',
      content: null,
      reasoning_content: 'Hm.',
      tool_calls: [
        { id: 'c1', function: { name: 'Read', arguments: '{"n":1.0,  "path": "a<b>é"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'text' },
  ],
});

describe('chat templates', () => {
  it('get messages, tools, start and end tokens, and arguments of the request', () => {
    const template = compileTemplate(
      '{{ bos_token }}{% if tools %}{{ tools | tojson }}{% endif %}{% for m in messages %}[{{ m.role }}] {{ m.content }}{{ eos_token }}{% endfor %}{% if add_generation_prompt %}[assistant]{% endif %}{% if enable_thinking is defined and not enable_thinking %} <think></think>{% endif %}',
      TOKENS,
    );
    const messages = [{ role: 'user', content: 'Hi' }];
    expect(template.render(request({ messages }))).toBe('<s>[user] Hi</s>[assistant]');
    const tools = [{ type: 'function', function: { name: 'Read' } }];
    const more = request({ messages, tools, chat_template_kwargs: { enable_thinking: false } });
    expect(template.render(more)).toBe(
      '<s>[{"type": "function", "function": {"name": "Read"}}][user] Hi</s>[assistant] <think></think>',
    );
    const none = request({ messages, tools, tool_choice: 'none' });
    expect(template.render(none)).toBe('<s>[user] Hi</s>[assistant]');
  });

  it('get the arguments of earlier calls byte for byte where they take text', () => {
    const template = compileTemplate(
      '{% for m in messages %}{{ m.content }}{% for t in (m.tool_calls or []) %}{% if t.function.arguments is string %}{{ t.function.arguments }}{% else %}{{ t.function.arguments | tojson }}{% endif %}{% endfor %}{% endfor %}',
      TOKENS,
    );
    expect(template.render(CALL_HISTORY)).toBe('Fix it.{"n":1.0,  "path": "a<b>é"}text');
  });

  it('get them as an object where they want one', () => {
    const template = compileTemplate(
      '{% for m in messages %}{{ m.reasoning_content }}{% for t in (m.tool_calls or []) %}{% for k, v in t.function.arguments.items() %}<{{ k }}={{ v }}>{% endfor %}{% endfor %}{% endfor %}',
      TOKENS,
    );
    expect(template.render(CALL_HISTORY)).toBe('Hm.<n=1><path=a<b>é>');
  });

  it('see earlier calls as text where they know no calls', () => {
    const template = compileTemplate(
      "{% for m in messages %}{{ '[' + m['role'] + ']' + m['content'] }}{% endfor %}",
      TOKENS,
    );
    expect(template.render(CALL_HISTORY)).toBe(
      '[user]Fix it.[assistant]<tool_call>\n{"name": "Read", "arguments": {"n":1.0,  "path": "a<b>é"}}\n</tool_call>[tool]text',
    );
  });

  it('may refuse a conversation: that is a fault of the request', () => {
    const template = compileTemplate(
      "{% if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}",
      TOKENS,
    );
    const refused = request({ messages: [{ role: 'system', content: 'x' }] });
    expect(() => template.render(refused)).toThrow(
      expect.objectContaining({
        status: 400,
        message: 'The chat template refused the messages: System role not supported',
      }) as Error,
    );
  });
});
