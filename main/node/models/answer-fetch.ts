import {
  createJsonScanner,
  FOREIGN_JSON,
  type JsonScanner,
  parseBoundedJson,
} from '../../../shared/text/bounded-json.ts';
import { createEventMeter } from '../../network/event-meter.ts';
import type { Fetch } from '../../network/requests.ts';
import { toPlainText } from './classify-error.ts';
import { toRefusal, toSpokenProblem } from './problem-patterns.ts';
import { ServiceAnswerError } from './service-answer-error.ts';
import { toEventStream } from './whole-answer.ts';

/** An error body or a web page is at most read to here. */
const MAX_BODY_CHARACTERS = 1_000_000;
/** Bytes of one event of a stream: above the limit for the arguments of a step, which some services send as one event. */
const MAX_EVENT_BYTES = 16_000_000;
/** Bytes of a whole stream: far above the longest answer, each letter in an event of its own. */
const MAX_STREAM_BYTES = 256_000_000;
/** Blank bytes before an answer. Gateways send some while a request waits. */
const MAX_BLANK_BYTES = 1_000_000;

/**
 * Wraps a fetch: calls what `toOnBytes` returns for a request for everything that the server sends to it, and accepts as a
 * successful response only what the SDK can read. An event stream passes through; a whole answer as JSON is rewritten as one; a web
 * page, an error with status 200 and other JSON reject with `ServiceAnswerError`. The body decides, because gateways send wrong
 * content types. What the SDK collects is bounded: an event, an error body, blanks before the answer.
 */
export function createAnswerFetch(send: Fetch, toOnBytes: () => () => void): Fetch {
  return async (input, init) => {
    const onBytes = toOnBytes();
    const response = await send(input, init);
    onBytes();
    if (response.body === null) return response;
    const { headers, status, statusText } = response;
    if (!response.ok) {
      // No other status can be given to a response.
      const known = Math.min(status, 599);
      return new Response(toBeginning(response.body.getReader()), { status: known, statusText, headers });
    }
    const reader = watch(response.body.getReader(), onBytes);
    const head = await readHead(reader, status);
    if (!/^[<{[]/.test(head.text.trimStart())) {
      return new Response(toRest(head.chunks, reader, status), { status, headers: toPlainHeaders(headers) });
    }
    const body = await readText(head.chunks, reader);
    const stream = toAnswer(body, status);
    return new Response(stream, { status, headers: { 'content-type': 'text/event-stream' } });
  };
}

/** Returns a body that is no stream as an event stream; throws `ServiceAnswerError` when it is not an answer. */
function toAnswer(body: string, status: number): string {
  if (body.trimStart().startsWith('<')) {
    const visible = toPlainText(body);
    const spoken = toSpokenProblem(visible);
    throw new ServiceAnswerError(spoken === 'overloaded' ? spoken : 'webPage', status, visible);
  }
  let value: unknown;
  try {
    value = parseBoundedJson(body, FOREIGN_JSON);
  } catch {
    throw new ServiceAnswerError('badAnswer', status, body.slice(0, 1000));
  }
  const stream = toEventStream(value);
  if (stream !== null) return stream;
  const said = body.slice(0, 1000);
  throw new ServiceAnswerError(isError(value) ? toRefusal(toInnerStatus(value), said) : 'notStreamed', status, said);
}

function isError(value: unknown): boolean {
  const one = Array.isArray(value) ? value[0] : value;
  if (typeof one !== 'object' || one === null) return false;
  return ['error', 'errors', 'code', 'error_code', 'detail', 'message', 'msg'].some((name) =>
    Boolean(one[name as never]),
  );
}

/** The HTTP status that an error in the body names, as OpenRouter and Google do. */
function toInnerStatus(value: unknown): number | undefined {
  const match = /"(?:code|status|status_code|http_code)"\s*:\s*"?([45]\d\d)\b/.exec(JSON.stringify(value));
  return match ? Number(match[1]) : undefined;
}

/** The body is decoded already, so its encoding and length no longer apply. */
function toPlainHeaders(headers: Headers): Headers {
  const plain = new Headers(headers);
  plain.delete('content-encoding');
  plain.delete('content-length');
  plain.set('content-type', 'text/event-stream');
  return plain;
}

/** Reads directly: a transform stream costs more per piece of an answer than reading it. */
function watch(reader: Reader, onBytes: () => void): Reader {
  return {
    async read() {
      const result = await reader.read();
      if (!result.done) onBytes();
      return result;
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

type Reader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>;

/** Reads until the first visible character, which tells a stream from a document. */
async function readHead(reader: Reader, status: number): Promise<{ chunks: Uint8Array[]; text: string }> {
  const chunks: Uint8Array[] = [];
  const decoder = new TextDecoder();
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { chunks, text: '' };
    chunks.push(value);
    bytes += value.byteLength;
    const text = decoder.decode(value, { stream: true });
    if (text.trim() !== '') return { chunks, text };
    if (bytes > MAX_BLANK_BYTES) throw refuseRest(reader, status, `More than ${MAX_BLANK_BYTES} blank bytes.`);
  }
}

/** Returns the beginning of an error body, which says what is wrong. */
function toBeginning(reader: Reader): ReadableStream<Uint8Array> {
  let left = MAX_BODY_CHARACTERS;
  return new ReadableStream({
    async pull(controller) {
      const { value } = await reader.read();
      if (value === undefined) return controller.close();
      controller.enqueue(value.subarray(0, left));
      left -= value.byteLength;
      if (left > 0) return;
      controller.close();
      reader.cancel().catch(() => undefined);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Ends an answer with an event that takes the parser seconds to read. */
function requireBounds(scanner: JsonScanner, value: Uint8Array, reader: Reader, status: number): void {
  try {
    scanner.scan(value);
  } catch (error) {
    throw refuseRest(reader, status, String(error), 'badAnswer');
  }
}

/** Ends an answer, by default one that is too large. The sender may leave the end unconfirmed. */
function refuseRest(
  reader: Reader,
  status: number,
  said: string,
  problem: 'endless' | 'badAnswer' = 'endless',
): ServiceAnswerError {
  reader.cancel().catch(() => undefined);
  return new ServiceAnswerError(problem, status, said);
}

function toRest(chunks: readonly Uint8Array[], reader: Reader, status: number): ReadableStream<Uint8Array> {
  const waiting = [...chunks];
  const meter = createEventMeter();
  const scanner = createJsonScanner(FOREIGN_JSON, { isStream: true });
  let bytes = 0;
  return new ReadableStream({
    async pull(controller) {
      const value = waiting.shift() ?? (await reader.read()).value;
      if (value === undefined) return controller.close();
      if (meter(value).open > MAX_EVENT_BYTES)
        throw refuseRest(reader, status, `An event of more than ${MAX_EVENT_BYTES} bytes.`);
      requireBounds(scanner, value, reader, status);
      bytes += value.byteLength;
      if (bytes > MAX_STREAM_BYTES) throw refuseRest(reader, status, `More than ${MAX_STREAM_BYTES} bytes.`);
      controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

async function readText(chunks: readonly Uint8Array[], reader: Reader): Promise<string> {
  const decoder = new TextDecoder();
  let text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('');
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > MAX_BODY_CHARACTERS) {
      reader.cancel().catch(() => undefined);
      return text.slice(0, MAX_BODY_CHARACTERS);
    }
  }
}
