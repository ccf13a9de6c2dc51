import type { ErrorData } from '../../../shared/errors.ts';

/** Reasons that only the settings can fix: key, address, model name, account. */
const SETTINGS_REASONS: ReadonlySet<string> = new Set([
  'model.address',
  'model.badAnswer',
  'model.balance',
  'model.certificate',
  'model.dns',
  'model.forbidden',
  'model.key',
  'model.keyElsewhere',
  'model.noKey',
  'model.noProvider',
  'model.notFound',
  'model.unreachable',
]);

/** Returns the remedy for a failure: open the settings, start a new conversation, or retry. */
export function toRemedy({ reason }: Pick<ErrorData, 'reason'>): 'settings' | 'fresh' | 'again' {
  if (reason === 'model.tooLong') return 'fresh';
  return reason !== undefined && SETTINGS_REASONS.has(reason) ? 'settings' : 'again';
}
