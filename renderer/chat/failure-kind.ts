import type { ErrorData } from '../../shared/errors.ts';

/** What the settings can mend: a key, an address, a model's name, an account. */
const SETTINGS_REASONS =
  /^model\.(.*key.*|.*auth.*|unauthorized|forbidden|region|balance|quota|model.*|.*address.*|url|none|notChosen|missing.*|unreachable|refused|dns|tls)$/i;

/** True when trying again will not help until something is set right in the settings. */
export function asksForSettings({ reason }: Pick<ErrorData, 'reason'>): boolean {
  return reason !== undefined && SETTINGS_REASONS.test(reason);
}
