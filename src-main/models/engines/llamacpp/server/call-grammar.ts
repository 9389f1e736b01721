import type { ChatRequest } from './chat-request.ts';
import { HttpError } from './http-error.ts';

/** How a model writes calls, as its template shows it. */
export type CallStyle = 'json' | 'xml';

/** Calls of one turn at most: a small model that is made to call may not know when to stop. */
const MAX_CALLS = 8;

const JSON_RULES = String.raw`
object ::= "{" ws ( member ( "," ws member )* )? "}"
member ::= string ":" ws value ws
value ::= object | array | string | number | "true" | "false" | "null"
array ::= "[" ws ( value ws ( "," ws value ws )* )? "]"
string ::= "\"" ( [^"\\\x00-\x1F] | "\\" ( ["\\/bfnrt] | "u" [0-9a-fA-F]{4} ) )* "\""
number ::= "-"? ( "0" | [1-9] [0-9]{0,15} ) ( "." [0-9]{1,16} )? ( [eE] [-+]? [0-9]{1,3} )?
ws ::= | " " | "\n" [ \t]{0,20}`;

/** Text of a parameter stands as it is; only what would end it early is left out. */
const XML_RULES = String.raw`
parameter ::= "<parameter=" [^<>\n]{1,100} ">\n" text "\n</parameter>\n"
text ::= ( [^<] | "<" [^/] | "</" [^p] )*`;

const THOUGHT_RULES = String.raw`
thought ::= ( [^<] | "<" [^/] | "</" [^t] )* "</think>" [ \n]{0,4}`;

/**
 * The names of the functions that a request wants called at all costs: `tool_choice` is `required`
 * or names one. `null` when the model may choose.
 *
 * @throws HttpError 400 for a choice that is none, or of a tool that is not there
 */
export function forcedCalls(request: ChatRequest): string[] | null {
  const choice = request.tool_choice ?? 'auto';
  if (choice === 'auto' || choice === 'none') return null;
  const names = toolNames(request);
  if (choice === 'required') {
    if (names.length === 0) throw refused('tool_choice is "required", but there are no tools.');
    return names;
  }
  const wanted = typeof choice === 'string' ? undefined : namedIn(choice);
  if (wanted === undefined) {
    throw refused('tool_choice is none of "auto", "none", "required" and a named function.');
  }
  if (!names.includes(wanted)) throw refused(`tool_choice names ${wanted}, which is no tool.`);
  return [wanted];
}

/** Names of the functions of a request. */
export function toolNames(request: ChatRequest): string[] {
  return (request.tools ?? []).flatMap((tool) => namedIn(tool) ?? []);
}

function namedIn(value: Record<string, unknown>): string | undefined {
  const name = (value['function'] as { name?: unknown } | undefined)?.name;
  return typeof name === 'string' ? name : undefined;
}

/**
 * A grammar (GBNF) whose texts are one or more calls of the named functions, after the rest of a
 * thought where the prompt has opened one. Arguments are of the right form; whether they suit the
 * function's schema is for the caller to see, as with any call.
 */
export function callGrammar(
  names: readonly string[],
  options: { style: CallStyle; thinking: boolean; single: boolean },
): string {
  const more = options.single ? '' : ` ( "\\n" call ){0,${MAX_CALLS - 1}}`;
  const named = names.map((name) =>
    literal(options.style === 'json' ? JSON.stringify(name) : name),
  );
  const call =
    options.style === 'json'
      ? String.raw`"<tool_call>\n{\"name\": " name ", \"arguments\": " object "}\n</tool_call>"`
      : String.raw`"<tool_call>\n<function=" name ">\n" parameter* "</function>\n</tool_call>"`;
  return [
    `root ::= ${options.thinking ? 'thought ' : ''}call${more}`,
    `call ::= ${call}`,
    `name ::= ${named.join(' | ')}`,
    (options.style === 'json' ? JSON_RULES : XML_RULES).trim(),
    ...(options.thinking ? [THOUGHT_RULES.trim()] : []),
    '',
  ].join('\n');
}

/** GBNF knows the escapes of JSON. */
function literal(text: string): string {
  return JSON.stringify(text);
}

function refused(message: string): HttpError {
  return new HttpError(400, 'invalid_request_error', message);
}
