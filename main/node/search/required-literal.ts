/** Letters of scripts without case: ignoring case does not change them. */
const CASELESS = /^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]$/u;

/**
 * Returns the longest text that every match of a pattern contains, or null when none can be determined: a file without it
 * need not even be decoded. Returns null when in doubt: it parses only the top level of a pattern without alternatives.
 */
export function findRequiredLiteral(regex: string, flags: string): string | null {
  if (flags.includes('v')) return null;
  const runs: string[] = [];
  let run = '';
  const endRun = () => {
    if (run !== '') runs.push(run);
    run = '';
  };
  for (let at = 0; at < regex.length; ) {
    const letter = String.fromCodePoint(regex.codePointAt(at) ?? 0);
    if (letter === '|') return null;
    if (letter === '(' || letter === '[') {
      at = letter === '(' ? findGroupEnd(regex, at) : findClassEnd(regex, at);
      if (at === -1) return null;
      endRun();
    } else if (letter === '\\') {
      const next = regex[at + 1] ?? '';
      // Letters and digits after a backslash have a special meaning; which one does not matter here.
      if (/[\w]/.test(next)) {
        if (!/[dDwWsSbB]/.test(next)) return null;
        endRun();
        at += 2;
      } else {
        run += next;
        at += 1 + next.length;
      }
    } else {
      if ('.^$'.includes(letter)) endRun();
      else run += letter;
      at += letter.length;
    }
    const repeats = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(regex.slice(at, at + 24));
    if (repeats) {
      // An optional character is not required, and a repeated one ends the run after its first occurrence.
      const last = Array.from(run).at(-1) ?? '';
      const isOptional = /^[*?]|^\{0/.test(repeats[0]);
      if (isOptional) run = run.slice(0, run.length - last.length);
      endRun();
      at += repeats[0].length;
    }
  }
  endRun();
  const usable = flags.includes('i') ? runs.flatMap(toCaselessRuns) : runs;
  const longest = usable.reduce((best, one) => (one.length > best.length ? one : best), '');
  return longest === '' || !longest.isWellFormed() ? null : longest;
}

function toCaselessRuns(run: string): string[] {
  const runs: string[] = [''];
  for (const letter of run) {
    if (CASELESS.test(letter)) runs.push((runs.pop() ?? '') + letter);
    else runs.push('');
  }
  return runs;
}

/** Returns the index after the class that begins at `at`; -1 when it has no end. */
function findClassEnd(regex: string, at: number): number {
  for (let index = at + 1; index < regex.length; index += 1) {
    if (regex[index] === '\\') index += 1;
    else if (regex[index] === ']') return index + 1;
  }
  return -1;
}

/** Returns the index after the group that begins at `at`; -1 when it has no end. */
function findGroupEnd(regex: string, at: number): number {
  let depth = 0;
  for (let index = at; index < regex.length; index += 1) {
    if (regex[index] === '\\') index += 1;
    else if (regex[index] === '[') {
      const end = findClassEnd(regex, index);
      if (end === -1) return -1;
      index = end - 1;
    } else if (regex[index] === '(') depth += 1;
    else if (regex[index] === ')') {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return -1;
}
