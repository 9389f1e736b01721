import type { ModelFacts } from '../servers/library-types.ts';
import { sha256 } from '../../lib/index.ts';

export interface FoundTemplate {
  source: string;
  text: string;
}

/**
 * What a template shows of itself. The call format is decided by the marks that it writes around
 * calls: Qwen3-Coder's `<function=NAME>`, else Hermes' JSON within `<tool_call>`.
 */
export function chatTemplateFacts({ source, text }: FoundTemplate): ModelFacts['chatTemplate'] {
  return {
    source,
    sha256: sha256(text),
    tools: /\btools\b/.test(text),
    callFormat: callFormat(text),
    thinking: text.includes('<think>') || text.includes('enable_thinking'),
  };
}

function callFormat(text: string): 'hermes' | 'qwen3_coder' | null {
  if (text.includes('<function=') && text.includes('<parameter=')) return 'qwen3_coder';
  return text.includes('<tool_call>') && /["']arguments\\?["']/.test(text) ? 'hermes' : null;
}
