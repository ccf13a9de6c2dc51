import { randomUUID } from 'node:crypto';
import { FOREIGN_JSON, parseBoundedJson } from '../../../../shared/text/bounded-json.ts';

/** A call that a model wrote as text. `input` is undefined when its arguments cannot be read. */
interface WrittenCall {
  name: string;
  input: unknown;
}

/** How chat templates open a call. A server without the matching parser passes this on as text. */
const OPENINGS = [
  '<tool_call>',
  '<|tool_calls_section_begin|>',
  '<|tool_call_begin|>',
  '<function=',
  '<function_calls>',
  '<invoke name=',
  '<minimax:tool_call>',
  '<｜tool▁calls▁begin｜>',
  '<｜DSML｜function_calls>',
  '<｜DSML｜tool_calls>',
  '[TOOL_CALLS]',
];

/** Markers around the calls, which hold nothing themselves. */
const WRAPPERS =
  /<\|tool_calls_section_(?:begin|end)\|>|<\/?(?:｜DSML｜)?(?:function_calls|tool_calls)>|<\/?minimax:tool_call>|<｜tool▁calls▁(?:begin|end)｜>/g;

const FORMS: readonly { pattern: RegExp; read: (match: RegExpExecArray) => WrittenCall | null }[] = [
  // Kimi
  {
    pattern:
      /<\|tool_call_begin\|>\s*(?:functions\.)?([\w.-]+?)(?::\d+)?\s*<\|tool_call_argument_begin\|>([\s\S]*?)<\|tool_call_end\|>/,
    read: ([, name = '', json = '']) => ({ name, input: toJson(json) }),
  },
  // DeepSeek
  {
    pattern:
      /<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?([\w.-]+)\s*(?:<｜tool▁sep｜>|```json)?([\s\S]*?)(?:```)?\s*<｜tool▁call▁end｜>/,
    read: ([, name = '', json = '']) => ({ name, input: toJson(json) }),
  },
  // Anthropic's and MiniMax's form, also used by DeepSeek
  {
    pattern: /<(?:｜DSML｜)?invoke name="([\w.-]+)">([\s\S]*?)<\/(?:｜DSML｜)?invoke>/,
    read: ([, name = '', body = '']) => ({
      name,
      input: toFields(body, /<(?:｜DSML｜)?parameter name="([^"]+)"[^>]*>([\s\S]*?)<\/(?:｜DSML｜)?parameter>/g),
    }),
  },
  // Llama and Qwen Coder
  {
    pattern: /(?:<tool_call>\s*)?<function=([\w.-]+)>([\s\S]*?)<\/function>(?:\s*<\/tool_call>)?/,
    read: ([, name = '', body = '']) => ({
      name,
      input: body.trimStart().startsWith('{')
        ? toJson(body)
        : toFields(body, /<parameter=([^>]+)>([\s\S]*?)<\/parameter>/g),
    }),
  },
  // Qwen, Hermes and GLM
  { pattern: /<tool_call>([\s\S]*?)<\/tool_call>/, read: ([, body = '']) => toTagged(body) },
  // Mistral
  { pattern: /\[TOOL_CALLS\]\s*(\[[\s\S]*\])/, read: ([, list = '']) => toNamed(toFirst(toJson(list))) },
];

export interface LeakedCalls {
  /** Returns the part of the text that can be shown; holds back from the opening of a call on. */
  push(text: string): string;
  /**
   * Ends the text. `text`: what was held back and is no call. `calls`: the calls, when the text ends with them and every one can be
   * read and is offered. `unreadable`: a call that cannot be run. `held`: the text that they were read from.
   */
  end(): {
    text: string;
    held: string;
    calls: { id: string; name: string; input: unknown }[];
    unreadable: string | null;
  };
}

/**
 * Finds calls that a model wrote as text. Only at the end of an answer and outside of code, so that an answer that quotes a call
 * runs nothing.
 */
export function createLeakedCalls(offered: ReadonlySet<string>): LeakedCalls {
  let shown = '';
  let held = '';
  let isHolding = false;
  return {
    push(text) {
      held += text;
      if (isHolding) return '';
      const at = findOpening(shown, held);
      isHolding = at !== null && OPENINGS.some((opening) => held.startsWith(opening, at));
      const ready = held.slice(0, at ?? held.length);
      held = held.slice(ready.length);
      shown += ready;
      return ready;
    },
    end() {
      if (!isHolding) return { text: held, held: '', calls: [], unreadable: null };
      const { calls, rest } = readCalls(held);
      const isAll = rest.trim() === '' && calls.length > 0;
      if (isAll && calls.every(({ name, input }) => input !== undefined && offered.has(name))) {
        return {
          text: '',
          held,
          calls: calls.map((call) => ({ id: `text_${randomUUID()}`, ...call })),
          unreadable: null,
        };
      }
      // Words after a complete call: the answer only quotes it.
      if (!isAll && calls.length > 0 && !OPENINGS.some((opening) => rest.includes(opening))) {
        return { text: held, held: '', calls: [], unreadable: null };
      }
      const named = calls[0]?.name ?? [...offered].find((name) => held.includes(name)) ?? 'unknown';
      return { text: '', held, calls: [], unreadable: named };
    },
  };
}

/** Returns the index in `text` at which an opening stands, or may stand once more text follows; null when there is none. */
function findOpening(before: string, text: string): number | null {
  for (let at = text.search(/[<[]/); at >= 0 && at < text.length; at += 1) {
    const tail = text.slice(at);
    if (!OPENINGS.some((opening) => tail.startsWith(opening) || opening.startsWith(tail))) continue;
    if (!isInCode(before + text.slice(0, at))) return at;
  }
  return null;
}

/** True when the end of the text is inside a fenced block or a code span. */
function isInCode(text: string): boolean {
  const fences = text.match(/^\s*```/gm)?.length ?? 0;
  if (fences % 2 === 1) return true;
  const line = text.slice(text.lastIndexOf('\n') + 1);
  return !line.trimStart().startsWith('```') && (line.match(/`/g)?.length ?? 0) % 2 === 1;
}

function readCalls(held: string): { calls: WrittenCall[]; rest: string } {
  const calls: WrittenCall[] = [];
  let rest = held.replace(WRAPPERS, '');
  for (const { pattern, read } of FORMS) {
    for (let match = pattern.exec(rest); match; match = pattern.exec(rest)) {
      const call = read(match);
      rest = rest.slice(0, match.index) + rest.slice(match.index + match[0].length);
      if (call) calls.push(call);
      else return { calls: [], rest: held };
    }
  }
  return { calls, rest };
}

function toJson(text: string): unknown {
  try {
    return parseBoundedJson(text.trim(), FOREIGN_JSON);
  } catch {
    return undefined;
  }
}

function toFirst(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : undefined;
}

/** Reads `{"name", "arguments"}`. */
function toNamed(value: unknown): WrittenCall | null {
  if (typeof value !== 'object' || value === null || !('name' in value) || typeof value.name !== 'string') return null;
  const input = 'arguments' in value ? value.arguments : 'parameters' in value ? value.parameters : {};
  return { name: value.name, input: typeof input === 'string' ? toJson(input) : input };
}

/** Reads the inside of `<tool_call>`: JSON, or a name with `<arg_key>` and `<arg_value>`. */
function toTagged(body: string): WrittenCall | null {
  const named = toNamed(toJson(body));
  if (named) return named;
  const name = /^\s*([\w.-]+)\s*(?=<arg_key>|$)/.exec(body)?.[1];
  if (name === undefined) return null;
  return { name, input: toFields(body, /<arg_key>([\s\S]*?)<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>/g) };
}

/** Reads named fields; a value that is a JSON object or list is parsed. */
function toFields(body: string, pattern: RegExp): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [, name = '', value = ''] of body.matchAll(pattern)) {
    const text = value.replace(/^\n|\n$/g, '');
    fields[name.trim()] = /^\s*[{[]/.test(text) ? (toJson(text) ?? text) : text;
  }
  return fields;
}
