import { AppError } from '../../../shared/errors.ts';

/**
 * Checks an address her key will be sent to: https anywhere, plain http only on this computer or the network at home.
 * Empty stays empty (the provider's own address). Returns it without a trailing slash. Throws `E_BAD_ARGS`.
 */
export function toBaseUrl(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const url = URL.canParse(trimmed) ? new URL(trimmed) : null;
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isNearby(url.hostname)))) {
    throw new AppError('E_BAD_ARGS', 'The address must start with https:// (http:// only on this network).', {
      reason: 'settings.badAddress',
      details: { address: trimmed.slice(0, 200) },
    });
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '' || url.search !== '') {
    throw new AppError('E_BAD_ARGS', 'The address must hold no password and nothing after "?" or "#".', {
      reason: 'settings.badAddress',
      details: { address: `${url.origin}${url.pathname}`.slice(0, 200) },
    });
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function isNearby(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost') || host.endsWith('.local') || host === '[::1]') return true;
  const numbers = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(host);
  if (!numbers) return !host.includes('.') && !host.startsWith('[');
  const [first, second] = [Number(numbers[1]), Number(numbers[2])];
  return (
    first === 127 ||
    first === 10 ||
    (first === 192 && second === 168) ||
    (first === 172 && second >= 16 && second <= 31) ||
    (first === 169 && second === 254)
  );
}
