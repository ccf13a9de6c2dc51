import type { TFunction } from 'i18next';
import type { CapUnit } from '../../../shared/model/cost/cap.ts';
import type { UsageTotal } from '../../../shared/model/cost/usage.ts';
import { formatTokens } from './token-count.ts';

/** Formats an amount of a currency or of tokens: `¥0.42`, `12.4k tokens`. Small amounts of money keep two significant digits. */
export function formatAmount(amount: number, unit: CapUnit, { t, locale }: { t: TFunction; locale: string }): string {
  if (unit === 'tokens') return t('chat:spending.tokens', { amount: formatTokens(Math.ceil(amount), locale) });
  const isSmall = amount > 0 && amount < 1;
  return new Intl.NumberFormat(locale, {
    ...{ style: 'currency', currency: unit },
    ...(isSmall && { maximumSignificantDigits: 2, minimumSignificantDigits: 1 }),
  }).format(amount);
}

/**
 * Returns what was spent as text: one amount for each currency, “at least” where a part is unknown. Never 0 for what is
 * unknown.
 */
export function toSpentText(total: UsageTotal, text: { t: TFunction; locale: string }): string {
  const { t } = text;
  const isKnown = !total.isUnpriced && !total.isPartial;
  if (total.money.length === 0) {
    if (!isKnown) return t('chat:spending.unknown');
    return t(total.input + total.output === 0 ? 'chat:spending.none' : 'chat:spending.free');
  }
  const amounts = total.money.map(({ currency, amount }) => formatAmount(amount, currency, text)).join(' + ');
  return isKnown ? amounts : t('chat:spending.atLeast', { amount: amounts });
}

/** Returns a number of tokens as text: “at least” where a service did not count all of them, never 0 where it counted none. */
export function toTokensText(
  count: number,
  { isPartial }: Pick<UsageTotal, 'isPartial'>,
  { t, locale }: { t: TFunction; locale: string },
): string {
  if (isPartial && count === 0) return t('chat:spending.uncounted');
  const amount = formatTokens(count, locale);
  return isPartial ? t('chat:spending.atLeast', { amount }) : amount;
}
