import type { ErrorData } from '../../../shared/errors.ts';

/** What only the settings can mend: a key, an address, a model’s name, an account. */
const SETTINGS: ReadonlySet<string> = new Set([
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

/** Where the way on leads after a failure: to the settings, to a new conversation, or just once more. */
export function toRemedy({ reason }: Pick<ErrorData, 'reason'>): 'settings' | 'fresh' | 'again' {
  if (reason === 'model.tooLong') return 'fresh';
  return reason !== undefined && SETTINGS.has(reason) ? 'settings' : 'again';
}
