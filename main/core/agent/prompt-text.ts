/**
 * The blocks of the prompt. The model tells blocks apart by their tags alone, so text from outside must not contain one.
 */
const BLOCKS = ['message', 'facts', 'editor', 'story-bible', 'game', 'system', 'user', 'assistant', 'tool'];

/** The less-than sign and its look-alikes. */
const OPENING = /[<\u02c2\u1438\u16b2\u2039\u227a\u22d6\u2329\u276e\u27e8\u2a79\u3008\ufe64\uff1c]/g;
/** Letters of other scripts that look like those of the tags. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  ...{ а: 'a', е: 'e', о: 'o', с: 'c', р: 'p', і: 'i', ѕ: 's', ӏ: 'l', т: 't', м: 'm', г: 'r', у: 'y', ь: 'b' },
  ...{ α: 'a', ε: 'e', ο: 'o', ϲ: 'c', ι: 'i', τ: 't', μ: 'm', ɡ: 'g', ı: 'i', ſ: 's', υ: 'u', ѵ: 'v', ƚ: 'l' },
};
/** Long enough for the longest tag, also with invisible characters between its letters. */
const LOOK_AHEAD = 200;
const SKIPPED = /[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Mn}\p{Cc}]/gu;
const DASHES = /[\p{Pd}_\u2212]/gu;
const SLASHES = /^[/\\\u2044\u2215\u29f8\u29f5\u2571!?]+/;

/** Returns a value as JSON in which no character can begin a tag. A JSON parser restores the value. */
export function quoteForPrompt(value: unknown): string {
  return JSON.stringify(value).replace(
    OPENING,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Replaces the opening character of each block tag in a text by `&lt;`. Tags are also found with full-width letters, look-alikes
 * from other scripts and invisible characters.
 */
export function escapeBlocks(text: string): string {
  return text.replace(OPENING, (character, offset: number) =>
    isTag(text.slice(offset + 1, offset + 1 + LOOK_AHEAD)) ? '&lt;' : character,
  );
}

/** Applies `escapeBlocks` to every string in a plain JSON value, property names included. */
export function escapeBlocksIn(value: unknown): unknown {
  if (typeof value === 'string') return escapeBlocks(value);
  if (Array.isArray(value)) return value.map(escapeBlocksIn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [escapeBlocks(key), escapeBlocksIn(inner)]));
}

function isTag(rest: string): boolean {
  const folded = [...rest.normalize('NFKD').replace(SKIPPED, '').toLowerCase()]
    .map((letter) => LOOK_ALIKES[letter] ?? letter)
    .join('')
    .replace(DASHES, '-')
    .replace(SLASHES, '');
  return BLOCKS.some((name) => folded.startsWith(name) || folded.startsWith(name.replace('-', '')));
}
