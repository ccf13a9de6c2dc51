import type { TFunction } from 'i18next';
import { MARKS, type MapWording, type Mark } from './story-map.ts';

/** Translated texts of the map as plain data for a worker. `{}` is the placeholder. */
export interface MapWords {
  locale: string;
  counted: Record<(typeof COUNTED)[number], { one: string; other: string }>;
  others: string;
  call: string;
  condition: string;
  marks: Record<Mark, string>;
  separator: string;
}

const COUNTED = ['words', 'lines', 'minutes', 'scenes'] as const;
const PLACEHOLDER = '{}';

export function readMapWords(t: TFunction<'story'>, locale: string): MapWords {
  const forms = (key: (typeof COUNTED)[number]) => ({
    one: t(key, { count: 1, formatted: PLACEHOLDER }),
    other: t(key, { count: 2, formatted: PLACEHOLDER }),
  });
  return {
    locale,
    counted: { words: forms('words'), lines: forms('lines'), minutes: forms('minutes'), scenes: forms('scenes') },
    others: t('chapter.others'),
    call: t('call'),
    condition: t('condition', { condition: PLACEHOLDER }),
    marks: Object.fromEntries(MARKS.map((mark) => [mark, t(`mark.${mark}`)])) as Record<Mark, string>,
    separator: t('common:listSeparator'),
  };
}

export function toMapWording({ locale, counted, marks, condition, ...plain }: MapWords): MapWording {
  const number = new Intl.NumberFormat(locale);
  const plural = new Intl.PluralRules(locale);
  const count = (key: keyof typeof counted) => (value: number) => {
    const form = plural.select(value) === 'one' ? 'one' : 'other';
    return counted[key][form].replace(PLACEHOLDER, () => number.format(value));
  };
  return {
    words: count('words'),
    lines: count('lines'),
    minutes: count('minutes'),
    scenes: count('scenes'),
    others: plain.others,
    call: plain.call,
    separator: plain.separator,
    condition: (text) => condition.replace(PLACEHOLDER, () => text),
    mark: (mark) => marks[mark],
  };
}
