import { Template } from '@huggingface/jinja';
import type { ChatRequest, RequestMessage } from './chat-request.ts';
import { HttpError } from './http-error.ts';

export interface PromptTemplate {
  /**
   * The prompt text of a request, ending where the model's turn begins, or with `ends` after its
   * last message.
   * @throws HttpError 400 when the template refuses the messages.
   */
  render(request: ChatRequest, ends?: boolean): string;
}

export interface TemplateTokens {
  bos: string;
  eos: string;
}

/** How a template wants calls of earlier turns: found by trying, since no metadata says it. */
type CallForm = 'text' | 'object' | 'unsupported';

/**
 * Compiles a chat template.
 *
 * @throws Error when the text is not a template that can be compiled.
 */
export function compileTemplate(source: string, tokens: TemplateTokens): PromptTemplate {
  const template = new Template(source);
  const renderWith = (messages: unknown[], request?: ChatRequest, ends = false): string =>
    template.render({
      ...request?.chat_template_kwargs,
      messages,
      tools: toolsOf(request),
      add_generation_prompt: !ends,
      bos_token: tokens.bos,
      eos_token: tokens.eos,
    });
  const form = findCallForm(renderWith);
  return {
    render: (request, ends) => {
      try {
        return renderWith(
          request.messages.map((message) => toTemplateMessage(message, form)),
          request,
          ends,
        );
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new HttpError(
          400,
          'invalid_request_error',
          `The chat template refused the messages: ${reason}`,
        );
      }
    },
  };
}

/** Templates test `tools` for truth, and an empty list is true in some and false in others. */
function toolsOf(request: ChatRequest | undefined): unknown[] | null {
  if (request?.tools === undefined || request.tools === null) return null;
  if (request.tools.length === 0 || request.tool_choice === 'none') return null;
  return request.tools;
}

const PROBE = '{"probe_key": "probe_value"}';

function findCallForm(render: (messages: unknown[]) => string): CallForm {
  const withCall = (args: unknown): string | null => {
    try {
      return render([
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [
            { id: 'probe', type: 'function', function: { name: 'probe', arguments: args } },
          ],
        },
      ]);
    } catch {
      return null;
    }
  };
  // Text first: clients hand back the text they were given, and so the template repeats byte for
  // byte what the model wrote, which then stays cached.
  if (withCall(PROBE)?.includes(PROBE)) return 'text';
  return withCall(JSON.parse(PROBE))?.includes('probe_value') ? 'object' : 'unsupported';
}

function toTemplateMessage(message: RequestMessage, form: CallForm): Record<string, unknown> {
  const { tool_calls: calls, reasoning, reasoning_content: reasoningContent, ...rest } = message;
  const thought = reasoningContent ?? reasoning ?? undefined;
  const plain = { ...rest, ...(thought === undefined ? {} : { reasoning_content: thought }) };
  if (calls === undefined || calls === null || calls.length === 0) return plain;
  if (form === 'unsupported') return { ...plain, content: withCallsAsText(message.content, calls) };
  return {
    ...plain,
    tool_calls: calls.map(({ id, type, function: { name, arguments: args } }) => ({
      id,
      type,
      function: { name, arguments: form === 'text' ? args : parseOrKeep(args) },
    })),
  };
}

/** A template without tools would drop the calls without a word; the model has to see them. */
function withCallsAsText(
  content: string,
  calls: NonNullable<RequestMessage['tool_calls']>,
): string {
  const texts = calls.map(
    ({ function: { name, arguments: args } }) =>
      `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${args}}\n</tool_call>`,
  );
  return [...(content === '' ? [] : [content]), ...texts].join('\n');
}

function parseOrKeep(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
