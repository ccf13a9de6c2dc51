import { toOrigin } from '../provider-address.ts';
import { PROVIDERS } from '../provider-catalog.ts';
import type { ProviderId } from '../settings.ts';
import type { ModelPrice, OwnPrice, Price, Rates } from './price.ts';

/** Rates for a million tokens. `cached`, `written`: of input from and to the service's cache. */
function rates(input: number, output: number, cached?: number, written?: number): Rates {
  return { input, output, ...(cached !== undefined && { cached }), ...(written !== undefined && { written }) };
}

const usd = (date: string, standard: Rates, above?: Price['above']): Price => ({
  ...{ currency: 'USD', rates: standard, date },
  ...(above && { above }),
});
const cny = (date: string, standard: Rates): Price => ({ currency: 'CNY', rates: standard, date });

type Region = 'cn' | 'intl';

/**
 * Prices of the suggested models at the providers' own addresses, from the providers' pages and models.dev; a model or region
 * that is missing has no price that could be verified. Where a price depends on the time of day, it is the higher one. The
 * aliases of Google are left out, because Google changes which model they name.
 */
const PRICES: Partial<Record<ProviderId, Record<string, Partial<Record<Region, Price>>>>> = {
  // https://api-docs.deepseek.com/zh-cn/quick_start/pricing; half of it outside of peak hours.
  deepseek: {
    'deepseek-v4-pro': { cn: cny('2026-10', rates(9, 27, 0.3)) },
    'deepseek-v4-flash': { cn: cny('2026-10', rates(2, 8, 0.04)) },
    'deepseek-flash': { cn: cny('2026-10', rates(2, 8, 0.04)) },
  },
  qwen: {
    'qwen3.7-max': { intl: usd('2026-06', rates(2.5, 7.5, 0.5, 3.125)) },
    'qwen-flash': { intl: usd('2026-06', rates(0.05, 0.4)) },
  },
  kimi: {
    // https://platform.kimi.ai/docs/pricing/chat-k3
    'kimi-k3': { intl: usd('2026-07', rates(3, 15, 0.3)) },
    'kimi-k2.6': { intl: usd('2026-06', rates(0.95, 4, 0.16)) },
    'kimi-k2.5': { intl: usd('2026-06', rates(0.6, 3, 0.1)) },
  },
  glm: {
    'glm-5.2': { intl: usd('2026-06', rates(1.4, 4.4, 0.26)) },
    'glm-5': { intl: usd('2026-06', rates(1, 3.2, 0.2)) },
    'glm-4.7': { intl: usd('2026-06', rates(0.6, 2.2, 0.11)) },
    'glm-4.7-flash': { intl: usd('2026-06', rates(0, 0, 0)) },
  },
  // https://platform.claude.com/docs/en/about-claude/pricing
  anthropic: {
    'claude-sonnet-5-5': { intl: usd('2026-10', rates(2, 10, 0.1, 2.5)) },
    'claude-opus-5-5': { intl: usd('2026-10', rates(4, 20, 0.2, 5)) },
    'claude-haiku-5-5': {
      intl: usd('2026-10', rates(0.1, 0.5, 0.01, 0.125), { tokens: 100_000, rates: rates(0.5, 2.5, 0.05, 0.625) }),
    },
  },
  // https://developers.openai.com/api/docs/pricing
  openai: {
    'gpt-6-astra': {
      intl: usd('2026-09', rates(10, 50, 1, 12.5), { tokens: 272_000, rates: rates(20, 75, 2, 25) }),
    },
    'gpt-6-luna': {
      intl: usd('2026-09', rates(0.1, 0.5, 0.01, 0.125), { tokens: 272_000, rates: rates(0.2, 0.75, 0.02, 0.25) }),
    },
    'gpt-5.4': { intl: usd('2026-06', rates(2.5, 15, 0.25), { tokens: 272_000, rates: rates(5, 22.5, 0.5) }) },
  },
  // https://ai.google.dev/gemini-api/docs/pricing; twice as much from 2027 on.
  google: {
    'gemini-3.8-flash': { intl: usd('2026-09', rates(0.75, 3.75, 0.075)) },
  },
};

/**
 * Returns the price of a model: the user's own, else that of the catalogue for the address. A gateway has its own prices, so
 * another address has none.
 */
export function toModelPrice(
  { provider, model, baseUrl }: { provider: ProviderId; model: string; baseUrl: string },
  own: Readonly<Record<string, OwnPrice>> = {},
): ModelPrice {
  const price = own[model];
  if (price) {
    const { currency, ...standard } = price;
    return { currency, rates: standard, date: null };
  }
  const regions = PROVIDERS.find(({ id }) => id === provider)?.regions ?? [];
  const region = regions.find((one) => toOrigin(one.baseUrl) === toOrigin(baseUrl))?.id;
  if (region === undefined) return null;
  return region === 'local' ? 'free' : (PRICES[provider]?.[model]?.[region] ?? null);
}
