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

export interface ClassifiedError {
  problem: ModelProblem;
  detail: string;
  /** True when an immediate retry may help: the failure was temporary and was not retried yet. */
  retryable: boolean;
}

const DNS = new Set(['ENOTFOUND', 'EAI_AGAIN']);
const DISCONNECTED = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_ABORTED',
  'ERR_STREAM_PREMATURE_CLOSE',
]);
const TIMED_OUT = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
const CERTIFICATE = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY)/;

// Language data: messages of providers.
const BALANCE = /insufficient[_ ](balance|quota|credit|fund)|billing|arrearage|overdue|余额不足|欠费|credit balance/i;
// Language data: messages of providers.
const TOO_LONG =
  /context[_ ](length|window)|maximum context|too many (input )?tokens|prompt is too long|input.{0,20}too long|range of input length|exceeds?.{0,30}(context|token)|上下文.{0,6}(长|超)/i;
// Language data: messages of providers.
const FILTERED =
  /content[_ ]?(filter|policy|management)|data_inspection_failed|content exists risk|safety|sensitive|敏感|违规/i;
// Language data: messages of providers.
const BUSY = /overloaded|server is busy|capacity|try again later|繁忙/i;
// Language data: messages of providers.
const NO_MODEL = /model.{0,40}(not (found|exist)|does not exist|unknown)|unknown model|no such model|模型.{0,6}不存在/i;
const BAD_KEY = /invalid.{0,12}api.?key|incorrect api key|api key not valid|authentication/i;

/** Classifies an error of the SDK, the provider or the network. The deepest cause decides. */
export function toClassifiedError(error: unknown): ClassifiedError {
  if (error instanceof AppError) {
    const named = ModelProblem.safeParse(error.reason?.replace(/^model\./, ''));
    return { problem: named.data ?? 'badAnswer', detail: error.message, retryable: false };
  }
  // The SDK has already retried several times; another immediate retry would only add load.
  if (RetryError.isInstance(error)) return { ...toClassifiedError(error.lastError), retryable: false };
  if (APICallError.isInstance(error)) return fromCall(error);
  if (StreamProviderError.isInstance(error)) {
    const detail = [error.type, error.code, error.message].filter((part) => part !== undefined).join(' ');
    return { problem: fromStatus(error.statusCode, detail) ?? 'overloaded', detail, retryable: true };
  }
  if (InvalidResponseDataError.isInstance(error)) return { problem: 'cutOff', detail: error.message, retryable: true };
  if (EmptyResponseBodyError.isInstance(error) || NoOutputGeneratedError.isInstance(error)) {
    return { problem: 'empty', detail: error.message, retryable: true };
  }
  if (JSONParseError.isInstance(error) || TypeValidationError.isInstance(error)) {
    return { problem: 'badAnswer', detail: error.name, retryable: true };
  }
  const detail = toDetail(error);
  return { problem: fromNetwork(error) ?? 'badAnswer', detail, retryable: fromNetwork(error) === 'cutOff' };
}

function fromCall(error: APICallError): ClassifiedError {
  const detail = [error.statusCode, error.responseBody ?? error.message, toCode(error)]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
  const network = fromNetwork(error);
  if (error.statusCode === undefined || error.statusCode < 400) {
    // A stream that started and broke off: its status is the successful one it started with.
    if (error.statusCode !== undefined) return { problem: 'cutOff', detail, retryable: true };
    return { problem: network ?? 'unreachable', detail, retryable: network === 'cutOff' };
  }
  return { problem: fromStatus(error.statusCode, detail) ?? 'badAnswer', detail, retryable: false };
}

function fromStatus(status: number | undefined, said: string): ModelProblem | null {
  if (status === 402 || BALANCE.test(said)) return 'balance';
  if (status === 401) return 'key';
  if (status === 413 || TOO_LONG.test(said)) return 'tooLong';
  if (status === 404 || NO_MODEL.test(said)) return 'notFound';
  if (status === 429) return 'rate';
  if (BAD_KEY.test(said)) return 'key';
  if (status === 403) return 'forbidden';
  if (FILTERED.test(said)) return 'filtered';
  if (status === 408 || status === 504) return 'timeout';
  if ((status !== undefined && status >= 500) || BUSY.test(said)) return 'overloaded';
  return null;
}

function fromNetwork(error: unknown): ModelProblem | null {
  const code = toCode(error);
  if (code === undefined) return /terminated|premature|socket hang up/i.test(toDetail(error)) ? 'cutOff' : null;
  if (DNS.has(code)) return 'dns';
  if (CERTIFICATE.test(code)) return 'certificate';
  if (TIMED_OUT.has(code)) return 'timeout';
  if (DISCONNECTED.has(code)) return 'cutOff';
  if (code.startsWith('E') || code.startsWith('UND_')) return 'unreachable';
  return null;
}

/** Returns the system's code of the innermost cause that has one. */
function toCode(error: unknown): string | undefined {
  let code: string | undefined;
  let at: unknown = error;
  for (let depth = 0; depth < 8 && at instanceof Error; depth += 1) {
    if ('code' in at && typeof at.code === 'string') code = at.code;
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
