import type { TFunction } from 'i18next';
import { ERROR_CODES, type ErrorCode, type ErrorData } from '../../../shared/errors.ts';
import { LocalText, toLocalText } from '../../../shared/model/local-text.ts';
import { toVisible } from '../../../shared/text/shown-text.ts';
import { i18n } from '../../i18n/setup.ts';

type Failure = Pick<ErrorData, 'code' | 'reason' | 'details'>;

function isFailure(value: unknown): value is Failure {
  return (
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    ERROR_CODES.includes((value as { code: ErrorCode }).code)
  );
}

/** Formats a detail for a message: joins lists, takes a text in the user's language, omits other nested values. */
function toShown(value: unknown, separator: string): string | number | undefined {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (Array.isArray(value)) return value.filter((entry) => typeof entry === 'string').join(separator);
  const text = LocalText.safeParse(value);
  return text.success ? toVisible(toLocalText(text.data, i18n.resolvedLanguage ?? 'en')) : undefined;
}

/**
 * Returns the localized message for any caught value: an `AppError`, an `ErrorData` of a row, or an unexpected error. Uses
 * `errors:<reason>`, else the message of the code; never the English error message, which is for the log.
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
  // A placeholder without a value would be visible to the user.
  return byReason.includes('{{') ? byCode : byReason;
}

/** True if the page was opened without the launch link, or before the app restarted. */
export function isNotConnected(error: unknown): boolean {
  return isFailure(error) && error.reason === 'app.notConnected';
}
