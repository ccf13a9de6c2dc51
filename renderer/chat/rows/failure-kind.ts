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
  'model.lengthLimit',
  'model.memory',
  'model.noKey',
  'model.noModel',
  'model.noPictures',
  'model.noProvider',
  'model.noTools',
  'model.notFound',
  'model.notStreamed',
  'model.scheme',
  'model.unreachable',
  'model.webPage',
  'model.wrongPath',
]);

/** Returns the remedy for a failure: open the settings, start a new conversation, or retry. */
export function toRemedy({ reason }: Pick<ErrorData, 'reason'>): 'settings' | 'fresh' | 'again' {
  if (reason === 'model.tooLong') return 'fresh';
  return reason !== undefined && SETTINGS_REASONS.has(reason) ? 'settings' : 'again';
}
