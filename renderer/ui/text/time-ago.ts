import { i18n } from '../../i18n/setup.ts';

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** Cached: creating one takes longer than many uses. */
const formats = new Map<string, Intl.RelativeTimeFormat>();

function toFormat(locale: string): Intl.RelativeTimeFormat {
  const format = formats.get(locale) ?? new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  formats.set(locale, format);
  return format;
}

/** In Chinese the interface has a space after a number, as in “约 13 分钟”; the runtime's formats have none. */
const NUMBER_BEFORE_WORD = /(\d)(?=\p{Script=Han})/u;

/** Formats a relative time such as “2 minutes ago”; under a minute “just now”. Times are milliseconds since 1970. */
export function timeAgo(at: number, locale: string, now: number): string {
  const format = toFormat(locale);
  const passed = Math.max(0, now - at);
  for (const [unit, size] of STEPS) {
    if (passed >= size) return format.format(-Math.floor(passed / size), unit).replace(NUMBER_BEFORE_WORD, '$1 ');
  }
  // The runtime's formats say “现在” in Chinese, as of the present.
  return i18n.t('common:justNow', { lng: locale });
}
