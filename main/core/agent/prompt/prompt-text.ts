/**
 * The blocks of the prompt. The model tells blocks apart by their tags alone, so text from outside must not contain one.
 */
const BLOCKS = [
  ...['message', 'facts', 'editor', 'mention', 'story-bible', 'bible-scenes', 'summary', 'game', 'skills'],
  'transcript',
  ...['system', 'user', 'assistant', 'tool'],
];

/**
 * Control tokens of models, which mark the bounds of a turn: services convert such text into the token itself. Written as
 * `foldStretch` writes it, after the opening character.
 */
const CONTROL = [
  // <|im_start|>, <|eot_id|>, and with other bars <｜User｜>, <｜begin▁of▁sentence｜>.
  /\|[^|<>]{1,60}\|>/,
  // <｜DSML｜invoke name="…">, <invoke name="…">, <parameter name="…">, <function=…>, <minimax:tool_call>: how models write calls.
  /\|dsml\||(?:invoke|parameter)name|function=|minimax:/,
  // <unused99>, <extra_id_0>, <reserved_106>, <reserved_special_token_7>.
  /(?:unused|extra-id|reserved|reserved-special-token)-?\d{1,5}>/,
  // <start_of_turn>, <<SYS>>, <think>, <function_calls>, </s>, <bos>, <sop>.
  /(?:start|end)-?of-?(?:turn|text|image)/,
  /(?:sys|think|function-calls?|invoke|antml:[a-z]{1,60}|s|bos|eos|pad|unk|sop|eop|image-soft-token)>/,
];
/** One expression, because a scene may hold thousands of opening characters. */
const TAG = new RegExp(
  [...BLOCKS.map((name) => name.replace('-', '-?')), ...CONTROL.map(({ source }) => source)].join('|'),
  'y',
);
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

/** Applies `escapeBlocks` to every string in a plain JSON value, property names included. Returns an unchanged value itself. */
export function escapeBlocksIn(value: unknown): unknown {
  if (typeof value === 'string') return escapeBlocks(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(escapeBlocksIn);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  let isChanged = false;
  const entries = Object.entries(value);
  for (const entry of entries) {
    const [name, inner] = entry;
    entry[0] = escapeBlocks(name);
    entry[1] = escapeBlocksIn(inner);
    isChanged ||= entry[0] !== name || entry[1] !== inner;
  }
  return isChanged ? Object.fromEntries(entries) : value;
}

/**
 * Replaces opening characters; `replace` receives folded text and the place in it of the first letter after the character. Each
 * character of the text is folded once at most, and only near an opening: a game can bring a file that consists of them.
 */
function replaceOpenings(text: string, replace: (character: string, folded: string, at: number) => string): string {
  if (text.search(OPENING_OR_BRACKET) < 0) return text;
  let stretch: Stretch = { end: 0, folded: '', places: [] };
  let next = 0;
  let name = 0;
  return text.replace(OPENING_OR_BRACKET, (character, offset: number) => {
    if (offset >= stretch.end) {
      stretch = foldStretch(text, offset);
      next = 0;
      name = 0;
    }
    const { folded, places } = stretch;
    name = Math.max(name, places[next] ?? folded.length);
    next += 1;
    while (name < folded.length && SLASHES.has(folded.charAt(name))) name += 1;
    return replace(character, folded, name);
  });
}

const isBracket = (character: string): boolean => character === '[' || character === '\uff3b';

const isTag = (folded: string, at: number): boolean => matchesAt(TAG, folded, at);

const isBracketed = (folded: string, at: number): boolean => matchesAt(BRACKETED, folded, at);

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** Folded characters that decide whether a name follows: the longest control token has 67. */
const NAME_ROOM = 80;

interface Stretch {
  /** Where the stretch ends in the text. */
  end: number;
  folded: string;
  /** The place in `folded` after each opening character of the stretch, in order. */
  places: number[];
}

/**
 * Folds the text from the opening character at `start` until its last opening character has a whole name after it. Folds away
 * only what could hide the name of a tag from a program, and not from a model.
 */
function foldStretch(text: string, start: number): Stretch {
  const places: number[] = [];
  // Whole runs of characters that stay as they are, because joining single characters costs more than folding them.
  const pieces: string[] = [];
  let run = start;
  let length = 0;
  let end = start;
  /** Where the name after the last opening character begins in the folded text; negative before it is found. */
  let name = -1;
  while (end < text.length && (name < 0 || length - name < NAME_ROOM)) {
    const code = text.charCodeAt(end);
    const size = (code & 0xf800) === 0xd800 && (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
    const { piece, isSame, isOpening, isSlashes } = known[code] ?? toFolded(text.slice(end, end + size));
    if (!isSame) {
      if (run < end) pieces.push(text.slice(run, end));
      if (piece !== '') pieces.push(piece);
      run = end + size;
    }
    end += size;
    length += piece.length;
    if (isOpening) {
      places.push(length);
      name = -1;
    } else if (name < 0 && !isSlashes) name = length - piece.length;
  }
  pieces.push(text.slice(run, end));
  return { end, folded: pieces.join(''), places };
}

interface Folded {
  piece: string;
  isSame: boolean;
  isOpening: boolean;
  /** Nothing but slashes, or nothing at all. */
  isSlashes: boolean;
}

/** Folded characters of the basic plane that were asked for, by their code unit. */
const known = new Array<Folded | undefined>(0x10000);

function toFolded(character: string): Folded {
  const piece = foldCharacter(character);
  const isSlashes = [...piece].every((one) => SLASHES.has(one));
  const isOpening = character.search(OPENING_OR_BRACKET) >= 0;
  const folded = { piece, isSame: piece === character, isOpening, isSlashes };
  // Half a pair must not stand for the pair.
  if (character.length === 1 && !/[\ud800-\udfff]/.test(character)) known[character.charCodeAt(0)] = folded;
  return folded;
}

function foldCharacter(character: string): string {
  return [...character.normalize('NFKD').replace(SKIPPED, '').toLowerCase()]
    .map((letter) => LOOK_ALIKES[letter] ?? letter)
    .join('')
    .replace(DASHES, '-')
    .replace(CLOSING, '>')
    .replace(BARS, '|');
}
