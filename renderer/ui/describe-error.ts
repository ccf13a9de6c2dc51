import type { TFunction } from 'i18next';
import { ERROR_CODES, type ErrorCode, type ErrorData } from '../../shared/errors.ts';

type Failure = Pick<ErrorData, 'code' | 'reason' | 'details'>;

function isFailure(value: unknown): value is Failure {
  return (
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    ERROR_CODES.includes((value as { code: ErrorCode }).code)
  );
}

/** What a sentence can show of a detail: lists joined, anything deeper left out. */
function toShown(value: unknown, separator: string): string | number | undefined {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (Array.isArray(value)) return value.filter((entry) => typeof entry === 'string').join(separator);
  return undefined;
}

/**
 * The sentence a writer reads for anything caught: an `AppError`, an `ErrorData` that came with a row, or a surprise.
 * Worded by `errors:<reason>`, else by the code; never by the English message, which is for the log.
 */
export function describeError(error: unknown, t: TFunction): string {
  if (!isFailure(error)) return t('errors:E_INTERNAL');
  const separator = t('common:listSeparator');
  const values = Object.fromEntries(
    Object.entries(error.details ?? {}).map(([name, value]) => [name, toShown(value, separator)]),
  );
  const byCode = t(`errors:${error.code}`, values);
  if (!error.reason) return byCode;
  const byReason = t(`errors:${error.reason}`, { ...values, defaultValue: byCode });
  // A sentence with a value missing would read like a form letter.
  return byReason.includes('{{') ? byCode : byReason;
}

/** True when the page was opened without the launch link, or after the app was started again. */
export function isNotConnected(error: unknown): boolean {
  return isFailure(error) && error.reason === 'app.notConnected';
}
