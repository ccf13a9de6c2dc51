import { LOCALES, type Locale, type LocalText } from '../model/local-text.ts';
import { LANGUAGES } from './languages.ts';

/** The texts of one catalogue in one language, nested as in its JSON file. `{name}` stands for a value. */
export interface Messages {
  readonly [key: string]: string | Messages;
}

type PluralForm = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other';
type Leaves<M> = { [K in keyof M & string]: M[K] extends string ? K : `${K}.${Leaves<M[K]>}` }[keyof M & string];
type WithoutForm<K extends string> = K extends `${infer Base}_${PluralForm}` ? Base : K;

/** The keys of a catalogue, such as `read_file.title`; plural forms such as `lines_one` and `lines_other` are one key. */
export type MessageKey<M> = WithoutForm<Leaves<M>>;

/** A text by key, for code that does not know the language of the reader. */
export interface Message<Key extends string> {
  key: Key;
  values?: MessageValues<Key>;
}

/** A list is written with the separator of the language. */
export type MessageValue<Key extends string> = string | number | Message<Key> | readonly (string | Message<Key>)[];
export type MessageValues<Key extends string> = Readonly<Record<string, MessageValue<Key>>>;

export type Translate<Key extends string> = (key: Key, values?: MessageValues<Key>) => string;

/** The texts of one part of the app in all languages. A key that a language lacks is answered in English. */
export interface Catalogue<Key extends string> {
  /** Unknown placeholders stay as they are. A number named `count` selects the plural form. */
  translate(locale: Locale, key: Key, values?: MessageValues<Key>): string;
  /** Translates into every language that has the text, for readers whose language is not known yet. */
  toLocalText(key: Key, values?: MessageValues<Key>): LocalText;
  /** Returns `translate` for one language. */
  createTranslator(locale: Locale): Translate<Key>;
}

/** Creates a catalogue from its texts by language; the keys are those of the English ones. */
export function createCatalogue<M extends Messages>(
  texts: { en: M } & Partial<Record<Locale, Messages>>,
): Catalogue<MessageKey<M>> {
  type Key = MessageKey<M>;
  const templates = new Map<Locale, ReadonlyMap<string, readonly string[]>>();

  /** Reads a language's texts at first use: most processes need one language. */
  function readTemplates(locale: Locale): ReadonlyMap<string, readonly string[]> {
    let found = templates.get(locale);
    if (found === undefined) {
      found = new Map(readLeaves(texts[locale] ?? {}, ''));
      templates.set(locale, found);
    }
    return found;
  }

  function findTemplate(locale: Locale, key: string, count: unknown): readonly string[] | undefined {
    const known = readTemplates(locale);
    if (typeof count !== 'number') return known.get(key);
    return known.get(`${key}_${toPluralForm(locale, count)}`) ?? known.get(key);
  }

  function translate(locale: Locale, key: Key, values?: MessageValues<Key>): string {
    const parts = findTemplate(locale, key, values?.count);
    if (parts !== undefined) return fill(parts, locale, values);
    // The whole sentence is English then, with the separators of its lists.
    return locale === 'en' ? key : translate('en', key, values);
  }

  function toText(value: MessageValue<Key>, locale: Locale): string {
    if (typeof value === 'string') return value;
    if (typeof value === 'number') return String(value);
    if ('key' in value) return translate(locale, value.key, value.values);
    return value.map((item) => toText(item, locale)).join(LANGUAGES[locale].listSeparator);
  }

  function fill(parts: readonly string[], locale: Locale, values: MessageValues<Key> = {}): string {
    let filled = parts[0] as string;
    for (let at = 1; at < parts.length; at += 2) {
      const name = parts[at] as string;
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      filled += value === undefined ? `{${name}}` : toText(value, locale);
      filled += parts[at + 1] as string;
    }
    return filled;
  }

  return {
    translate,
    toLocalText(key, values) {
      const known = LOCALES.filter((locale) => findTemplate(locale, key, values?.count) !== undefined);
      return Object.fromEntries(known.map((locale) => [locale, translate(locale, key, values)])) as LocalText;
    },
    createTranslator: (locale) => (key, values) => translate(locale, key, values),
  };
}

/** Lists the texts by dotted key, each split at its placeholders: text at even indexes, names at odd ones. */
function readLeaves(messages: Messages, prefix: string): [string, readonly string[]][] {
  return Object.entries(messages).flatMap(([key, value]): [string, readonly string[]][] =>
    typeof value === 'string' ? [[`${prefix}${key}`, value.split(/\{(\w+)\}/)]] : readLeaves(value, `${prefix}${key}.`),
  );
}

const PLURALS = new Map<Locale, Intl.PluralRules>();

function toPluralForm(locale: Locale, count: number): Intl.LDMLPluralRule {
  let rules = PLURALS.get(locale);
  if (rules === undefined) {
    rules = new Intl.PluralRules(locale);
    PLURALS.set(locale, rules);
  }
  return rules.select(count);
}
