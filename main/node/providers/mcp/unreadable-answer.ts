import { type JSONRPCMessage, McpError, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import { JsonBoundsError } from '../../../../shared/text/bounded-json.ts';

/** Beyond the codes that the protocol uses. A server that sends it says of itself what the app would say of it. */
const UNREADABLE = -32_099;
/** Of the SDK's transport, for an answer with another type of content. */
const OTHER_TYPE = -1;
const NAMES: ReadonlySet<string> = new Set(['id', 'method', 'result', 'error']);
/** What stands behind a name; the value only where it can be an id of the client's. */
const VALUE = /\s*:\s*(?:(\d{1,15})(?![\d.eE])|"(\d{1,15})")?/y;

/** Returns the error that ends the request in the place of an answer that cannot be read, so that it does not wait for its time. */
export function toUnreadableAnswer(id: RequestId, problem: string): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code: UNREADABLE, message: 'The answer cannot be read.', data: problem } };
}

/** Returns what is wrong with an answer that could not be read, as the end of a sentence; null for every other error. */
export function toProblem(error: unknown): string | null {
  if (error instanceof McpError) return error.code === UNREADABLE ? String(error.data).slice(0, 300) : null;
  if (error instanceof JsonBoundsError) return error.message;
  if (error instanceof SyntaxError) return 'it is no valid JSON';
  if (!(error instanceof Error)) return null;
  if ('code' in error && error.code === OTHER_TYPE) return 'it has another type than JSON';
  if (/ZodError/.test(error.name + error.constructor.name)) return 'it is none of the protocol';
  // The SDK keeps of an error within a stream its text only.
  return /\bJsonBoundsError: ([^\n]{1,200})$/.exec(error.message)?.[1] ?? null;
}

/**
 * Returns the request that a message answers which could not be read. Null where that is not certain: it says nothing of it, or two
 * things, or it asks for something itself. Only names of the outermost object count, wherever they stand; takes linear time.
 */
export function findAnswered(text: string): number | null {
  if (!text.trimStart().startsWith('{')) return null;
  const found = new Map<string, string | null>();
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (character !== '"') continue;
    const end = findEnd(text, at);
    const name = end - at < 10 ? text.slice(at + 1, end - 1) : '';
    if (depth === 1 && NAMES.has(name)) {
      VALUE.lastIndex = end;
      const value = VALUE.exec(text);
      if (value) found.set(name, found.has(name) ? null : (value[1] ?? value[2] ?? null));
    }
    at = end - 1;
  }
  const isAnswer = !found.has('method') && (found.has('result') || found.has('error'));
  const id = found.get('id') ?? null;
  return isAnswer && id !== null ? Number(id) : null;
}

/** Returns where the string that begins at `start` is over. By index: a picture is one of some megabytes. */
function findEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}
