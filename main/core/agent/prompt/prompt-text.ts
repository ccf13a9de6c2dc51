/**
 * The blocks of the prompt. The model tells blocks apart by their tags alone, so text from outside must not contain one.
 */
const BLOCKS = ['message', 'facts', 'editor', 'story-bible', 'summary', 'game', 'system', 'user', 'assistant', 'tool'];

/**
 * Control tokens of models, which mark the bounds of a turn: services convert such text into the token itself. Written as
 * `fold` writes it, after the opening character.
 */
const CONTROL = [
  // <|im_start|>, <|eot_id|>, and with other bars <｜User｜>, <｜begin▁of▁sentence｜>.
  /\|[^|<>]{1,60}\|>/y,
  // <start_of_turn>, <<SYS>>, <think>, <function_calls>, </s>, <bos>, <sop>.
  /(?:start|end)-?of-?(?:turn|text|image)/y,
  /(?:sys|think|function-calls?|invoke|antml:[a-z]{1,60}|s|bos|eos|pad|unk|sop|eop|image-soft-token)>/y,
];
/** [INST], [/INST], [SYSTEM_PROMPT], [TOOL_CALLS], [gMASK]. */
const BRACKETED =
  /(?:inst|system-?prompt|available-?tools|tool-?(?:calls|results|content|args)|call-?id|g?mask|s?mask|img|img-(?:break|end)|think|b-?(?:inst|sys)|e-?(?:inst|sys))\]/y;

/** The less-than sign and its look-alikes. */
const OPENING = /[<\u02c2\u1438\u16b2\u2039\u227a\u22d6\u2329\u276e\u27e8\u2a79\u3008\ufe64\uff1c]/g;
const OPENING_OR_BRACKET = new RegExp(`${OPENING.source}|[[\uff3b]`, 'g');
const CLOSING = /[\u02c3\u1433\u203a\u227b\u22d7\u232a\u276f\u27e9\u2a7a\u3009]/g;
const BARS = /[\u00a6\u01c0\u2016\u2223\u23d0\u2502\u2503\u2758\u2759\u275a\uff5c\uffe8]/g;
/** Letters of other scripts that look like those of the tags. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  ...{ а: 'a', е: 'e', о: 'o', с: 'c', р: 'p', і: 'i', ѕ: 's', ӏ: 'l', т: 't', м: 'm', г: 'r', у: 'y', ь: 'b' },
  ...{ α: 'a', ε: 'e', ο: 'o', ϲ: 'c', ι: 'i', τ: 't', μ: 'm', ɡ: 'g', ı: 'i', ſ: 's', υ: 'u', ѵ: 'v', ƚ: 'l' },
};
const SKIPPED = /[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Mn}\p{Cc}]/gu;
const DASHES = /[\p{Pd}_\u2212]/gu;
/** Characters between the opening character and the name; a second opening character, too. */
const SLASHES = new Set('</\\\u2044\u2215\u29f8\u29f5\u2571!?');

/** Returns a value as JSON in which no character can begin a tag or control token. A JSON parser restores the value. */
export function quoteForPrompt(value: unknown): string {
  const toEscape = (character: string): string => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  // The brackets of JSON itself are followed by a value, never by one of the names.
  return replaceOpenings(JSON.stringify(value), (character, folded, at) =>
    isBracket(character) && !isBracketed(folded, at) ? character : toEscape(character),
  );
}

/**
 * Replaces the opening character of each block tag or control token in a text by `&lt;` or `&#91;`. They are also found with
 * full-width letters, look-alikes from other scripts and invisible characters.
 */
export function escapeBlocks(text: string): string {
  return replaceOpenings(text, (character, folded, at) => {
    if (isBracket(character)) return isBracketed(folded, at) ? '&#91;' : character;
    return isTag(folded, at) ? '&lt;' : character;
  });
}

/** Applies `escapeBlocks` to every string in a plain JSON value, property names included. */
export function escapeBlocksIn(value: unknown): unknown {
  if (typeof value === 'string') return escapeBlocks(value);
  if (Array.isArray(value)) return value.map(escapeBlocksIn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [escapeBlocks(key), escapeBlocksIn(inner)]));
}

/**
 * Replaces opening characters; `replace` receives the folded text and the place in it of the first letter after the
 * character. The text is folded once: a game can bring a file that consists of opening characters.
 */
function replaceOpenings(text: string, replace: (character: string, folded: string, at: number) => string): string {
  if (text.search(OPENING_OR_BRACKET) < 0) return text;
  const { folded, places } = fold(text);
  const names = toNames(folded);
  return text.replace(OPENING_OR_BRACKET, (character, offset: number) => {
    const at = places[offset + 1] ?? folded.length;
    return replace(character, folded, names[at] ?? folded.length);
  });
}

const isBracket = (character: string): boolean => character === '[' || character === '\uff3b';

function isTag(folded: string, at: number): boolean {
  if (BLOCKS.some((name) => folded.startsWith(name, at) || folded.startsWith(name.replace('-', ''), at))) return true;
  return CONTROL.some((pattern) => matchesAt(pattern, folded, at));
}

const isBracketed = (folded: string, at: number): boolean => matchesAt(BRACKETED, folded, at);

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/**
 * Folds away only what could hide the name of a tag from a program, and not from a model. `places` contains for each place
 * in the text the one in the folded text.
 */
function fold(text: string): { folded: string; places: Uint32Array } {
  const places = new Uint32Array(text.length + 1);
  const known = new Map<string, string>();
  const pieces: string[] = [];
  let offset = 0;
  let length = 0;
  for (const character of text) {
    let piece = known.get(character);
    if (piece === undefined) {
      piece = foldCharacter(character);
      known.set(character, piece);
    }
    places.fill(length, offset, offset + character.length);
    offset += character.length;
    length += piece.length;
    pieces.push(piece);
  }
  places[offset] = length;
  return { folded: pieces.join(''), places };
}

function foldCharacter(character: string): string {
  return [...character.normalize('NFKD').replace(SKIPPED, '').toLowerCase()]
    .map((letter) => LOOK_ALIKES[letter] ?? letter)
    .join('')
    .replace(DASHES, '-')
    .replace(CLOSING, '>')
    .replace(BARS, '|');
}

/** Returns for each place in a folded text that of the first character which is no slash. */
function toNames(folded: string): Uint32Array {
  const names = new Uint32Array(folded.length + 1);
  names[folded.length] = folded.length;
  for (let at = folded.length - 1; at >= 0; at -= 1) {
    names[at] = SLASHES.has(folded.charAt(at)) ? (names[at + 1] ?? folded.length) : at;
  }
  return names;
}
