const MAX_LENGTH = 500;
const MAX_ALTERNATIVES = 200;
/** Characters of all alternatives together: the work per path is proportional to them. */
const MAX_LETTERS = 5000;
const ANY_FOLDERS = '**';

/**
 * Compiles a glob to a predicate on paths: `*` and `?` within one name, `**` across folders, `[a-z]` and `[!a-z]`,
 * `{a,b}`. Compiles to no regular expression: patterns come from a model, and a regular expression made of twenty stars
 * can block the app indefinitely. Matching takes pattern length times path length, whatever the pattern. A pattern that
 * leaves the folder (`..`, a leading `/`) or exceeds the limits above, braces expanded, matches nothing.
 */
export function createGlob(pattern: string): (path: string) => boolean {
  if (pattern.length > MAX_LENGTH || pattern.startsWith('/')) return () => false;
  const alternatives = expandBraces(pattern.replace(/^\.\//, ''));
  if (alternatives === null) return () => false;
  if (alternatives.some((alternative) => alternative.split('/').includes('..'))) return () => false;
  if (alternatives.reduce((sum, alternative) => sum + alternative.length, 0) > MAX_LETTERS) return () => false;
  const compiled = alternatives.map((alternative) => toPathTest(alternative.split('/').map(toTokens)));
  const [only] = compiled;
  return compiled.length === 1 && only ? only : (path) => compiled.some((isMatch) => isMatch(path));
}

/** Handles the most common patterns (`**\/*.txt`) without splitting the path; others use `matchNames`. */
function toPathTest(wanted: readonly string[][]): (path: string) => boolean {
  const [first = [], second] = wanted;
  const isAnywhere = wanted.length === 2 && first.length === 1 && first[0] === ANY_FOLDERS;
  if (isAnywhere && second?.length === 1 && second[0] === ANY_FOLDERS) return () => true;
  if (isAnywhere && second) {
    const [star, ...ending] = second;
    if (star === '*' && ending.every((token) => token.length === 1 && !'*?'.includes(token))) {
      const suffix = ending.join('');
      return (path) => path.endsWith(suffix);
    }
    return (path) => matchName(second, path.slice(path.lastIndexOf('/') + 1));
  }
  return (path) => matchNames(wanted, path.split('/'));
}

/** Dynamic programming over the pattern: `reached[n]` is true when the pattern so far matches the first `n` names. */
function matchNames(wanted: readonly string[][], names: readonly string[]): boolean {
  let reached = new Array<boolean>(names.length + 1).fill(false);
  reached[0] = true;
  for (const want of wanted) {
    const next = new Array<boolean>(names.length + 1).fill(false);
    for (let index = 0; index <= names.length; index++) {
      if (want.length === 1 && want[0] === ANY_FOLDERS)
        next[index] = reached[index] === true || (index > 0 && next[index - 1] === true);
      else if (index > 0 && reached[index - 1] === true) next[index] = matchName(want, names[index - 1] ?? '');
    }
    if (!next.includes(true)) return false;
    reached = next;
  }
  return reached[names.length] === true;
}

function matchName(wanted: readonly string[], name: string): boolean {
  const letters = Array.from(name);
  let reached = new Array<boolean>(letters.length + 1).fill(false);
  reached[0] = true;
  for (const token of wanted) {
    const next = new Array<boolean>(letters.length + 1).fill(false);
    for (let index = 0; index <= letters.length; index++) {
      if (token === '*') next[index] = reached[index] === true || (index > 0 && next[index - 1] === true);
      else if (index > 0 && reached[index - 1] === true) next[index] = matchLetter(token, letters[index - 1] ?? '');
    }
    if (!next.includes(true)) return false;
    reached = next;
  }
  return reached[letters.length] === true;
}

/**
 * Parts of a pattern: a literal character, `?`, `*`, or a class with its brackets. A backslash makes the next character
 * literal.
 */
function toTokens(pattern: string): string[] {
  if (pattern === ANY_FOLDERS) return [ANY_FOLDERS];
  const tokens: string[] = [];
  const letters = Array.from(pattern);
  for (let index = 0; index < letters.length; index++) {
    const letter = letters[index] ?? '';
    const close = letter === '[' ? letters.indexOf(']', index + 2) : -1;
    if (letter === '\\' && index + 1 < letters.length) tokens.push(`\\${letters[++index]}`);
    else if (close > 0) {
      tokens.push(letters.slice(index, close + 1).join(''));
      index = close;
    } else if (letter !== '*' || tokens.at(-1) !== '*') tokens.push(letter);
  }
  return tokens;
}

function matchLetter(token: string, letter: string): boolean {
  if (token === '?') return true;
  if (token.startsWith('\\') && token.length > 1) return token.slice(1) === letter;
  if (!token.startsWith('[') || token.length < 3) return token === letter;
  const negated = token[1] === '!' || token[1] === '^';
  const letters = Array.from(token.slice(negated ? 2 : 1, -1));
  let found = false;
  for (let index = 0; index < letters.length; index++) {
    const from = letters[index] ?? '';
    const to = letters[index + 1] === '-' ? letters[index + 2] : undefined;
    if (to === undefined) found ||= from === letter;
    else {
      found ||= from <= letter && letter <= to;
      index += 2;
    }
  }
  return found !== negated;
}

/**
 * Expands `a{b,c}d` to `abd` and `acd`; null when there are more than `MAX_ALTERNATIVES`. An unclosed brace is a
 * literal.
 */
function expandBraces(pattern: string): string[] | null {
  const done: string[] = [];
  const open = [pattern];
  while (open.length > 0) {
    const next = open.shift() ?? '';
    const group = findGroup(next);
    if (group === null) done.push(next);
    else for (const option of group.options) open.push(next.slice(0, group.start) + option + next.slice(group.end));
    if (done.length + open.length > MAX_ALTERNATIVES) return null;
  }
  return [...new Set(done)];
}

/** The first innermost group `{…,…}`. */
function findGroup(pattern: string): { start: number; end: number; options: string[] } | null {
  const close = pattern.indexOf('}');
  const start = close < 0 ? -1 : pattern.lastIndexOf('{', close);
  if (start < 0) return null;
  return { start, end: close + 1, options: pattern.slice(start + 1, close).split(',') };
}
