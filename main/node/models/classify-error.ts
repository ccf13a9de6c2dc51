import {
  APICallError,
  EmptyResponseBodyError,
  InvalidResponseDataError,
  JSONParseError,
  NoOutputGeneratedError,
  RetryError,
  StreamProviderError,
  TypeValidationError,
} from 'ai';
import { AppError } from '../../../shared/errors.ts';
import { ModelProblem } from '../../../shared/model/model-problem.ts';
import { isLongLimit, toRefusal } from './problem-patterns.ts';
import { toRetryAfter } from './retry-after.ts';
import { ServiceAnswerError } from './service-answer-error.ts';

export interface ClassifiedError {
  problem: ModelProblem;
  detail: string;
  /** True when the same request may succeed a little later. */
  retryable: boolean;
  /** Milliseconds after which the provider wants the next request. */
  retryAfter?: number;
}

/** Failures that may be over after a short wait. */
const TEMPORARY: ReadonlySet<ModelProblem> = new Set(['rate', 'overloaded', 'cutOff', 'empty', 'timeout']);

const DNS = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ERR_NAME_NOT_RESOLVED']);
const DISCONNECTED = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_ABORTED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_CONNECTION_RESET',
  'ERR_CONNECTION_CLOSED',
  'ERR_EMPTY_RESPONSE',
  'ERR_INCOMPLETE_CHUNKED_ENCODING',
  'ERR_NETWORK_CHANGED',
]);
const TIMED_OUT = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ERR_TIMED_OUT',
  'ERR_CONNECTION_TIMED_OUT',
]);
/** A server without TLS behind https, or a server with TLS behind http. */
const SCHEME =
  /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|^HPE_INVALID|ERR_SSL_PROTOCOL_ERROR|ERR_INVALID_HTTP_RESPONSE/;
const CERTIFICATE = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY)/;
/** The network stack of Electron puts its code into the message only. */
const CHROMIUM_CODE = /net::(ERR_[A-Z_]+)/;

/** Classifies an error of the SDK, the provider or the network. The deepest cause decides. */
export function toClassifiedError(error: unknown): ClassifiedError {
  if (error instanceof AppError) {
    const named = ModelProblem.safeParse(error.reason?.replace(/^model\./, ''));
    return { problem: named.data ?? 'badAnswer', detail: error.message, retryable: false };
  }
  if (RetryError.isInstance(error)) return toClassifiedError(error.lastError);
  if (error instanceof ServiceAnswerError) return toReported(error.problem, `${error.status} ${error.message}`);
  if (APICallError.isInstance(error)) return fromCall(error);
  if (StreamProviderError.isInstance(error)) {
    const detail = [error.type, error.code, error.message].filter((part) => part !== undefined).join(' ');
    return toReported(toStreamProblem(error.statusCode, detail), detail);
  }
  if (InvalidResponseDataError.isInstance(error)) return { problem: 'cutOff', detail: error.message, retryable: true };
  if (EmptyResponseBodyError.isInstance(error) || NoOutputGeneratedError.isInstance(error)) {
    return { problem: 'empty', detail: error.message, retryable: true };
  }
  if (TypeValidationError.isInstance(error)) return fromUnknownShape(error.value);
  if (JSONParseError.isInstance(error))
    return { problem: 'badAnswer', detail: error.text.slice(0, 1000), retryable: true };
  const problem = fromNetwork(error);
  return { problem: problem ?? 'badAnswer', detail: toDetail(error), retryable: problem === 'cutOff' };
}

/** Adds to a problem that the provider reported whether and when a retry may help. */
export function toReported(
  problem: ModelProblem,
  said: string,
  headers?: Readonly<Record<string, string>>,
): ClassifiedError {
  const wait = toRetryAfter(headers, said);
  const retryable = TEMPORARY.has(problem) && !(problem === 'rate' && isLongLimit(said));
  return { problem, detail: said, retryable, ...(wait !== null && { retryAfter: wait }) };
}

/** An error in a stream without a status and a known text is a failure of the service, not a refusal of the request. */
function toStreamProblem(status: number | undefined, said: string): ModelProblem {
  const problem = toRefusal(status, said);
  return problem === 'refused' && /server_error|internal/i.test(said) ? 'overloaded' : problem;
}

/** Classifies a piece of a stream that has not the shape of a chunk: an error in a shape of its own, or nonsense. */
function fromUnknownShape(value: unknown): ClassifiedError {
  const said = (JSON.stringify(value) ?? '').slice(0, 1000);
  const isError =
    typeof value === 'object' && value !== null && ['error', 'code', 'message', 'msg'].some((name) => name in value);
  return isError
    ? toReported(toStreamProblem(undefined, said), said)
    : { problem: 'badAnswer', detail: said, retryable: true };
}

function fromCall(error: APICallError): ClassifiedError {
  const body = toPlainText(error.responseBody ?? '');
  const detail = [error.statusCode, body || error.message, toCode(error)]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
  if (error.statusCode === undefined || error.statusCode < 400) {
    const { cause } = error;
    if (cause instanceof ServiceAnswerError || cause instanceof AppError) return toClassifiedError(cause);
    if (JSONParseError.isInstance(cause) || TypeValidationError.isInstance(cause)) return toClassifiedError(cause);
    // A stream that started and broke off: its status is the successful one it started with.
    if (error.statusCode !== undefined) return { problem: 'cutOff', detail, retryable: true };
    const problem = fromNetwork(error) ?? 'unreachable';
    return { problem, detail, retryable: problem === 'cutOff' };
  }
  const problem = toRefusal(error.statusCode, error.responseBody ?? error.message);
  return toReported(problem, detail, error.responseHeaders);
}

/** Returns the visible text of a web page, and any other text unchanged. */
export function toPlainText(body: string): string {
  if (!/^\s*</.test(body)) return body;
  const visible = body.replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, ' ').replace(/<[^>]*>/g, ' ');
  return visible.replace(/\s+/g, ' ').trim().slice(0, 300);
}

function fromNetwork(error: unknown): ModelProblem | null {
  const code = toCode(error);
  if (code === undefined) return /terminated|premature|socket hang up/i.test(toDetail(error)) ? 'cutOff' : null;
  if (SCHEME.test(code)) return 'scheme';
  if (DNS.has(code)) return 'dns';
  if (DISCONNECTED.has(code)) return 'cutOff';
  if (TIMED_OUT.has(code)) return 'timeout';
  if (CERTIFICATE.test(code)) return 'certificate';
  if (code.startsWith('E') || code.startsWith('UND_')) return 'unreachable';
  return null;
}

/** Returns the system's code of the innermost cause that has one. */
function toCode(error: unknown): string | undefined {
  let code: string | undefined;
  let at: unknown = error;
  for (let depth = 0; depth < 8 && at instanceof Error; depth += 1) {
    if ('code' in at && typeof at.code === 'string') code = at.code;
    // Node does not always set the code of a response that is not HTTP.
    if (at.name === 'HTTPParserError') code = 'HPE_INVALID';
    const chromium = CHROMIUM_CODE.exec(at.message)?.[1];
    if (chromium !== undefined) code = chromium;
    if (at instanceof AggregateError && at.errors[0] instanceof Error) at = at.errors[0];
    else at = at.cause;
  }
  return code;
}

function toDetail(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${inner}`;
}
