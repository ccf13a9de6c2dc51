import { say } from '../../../i18n/diagnostics.ts';
import type { Engine } from '../../engine/engine.ts';
import { isEngineAtLeast } from '../../engine/engine-version.ts';
import { SAY } from '../../syntax/commands.ts';
import { type LineReport, replaceFix } from '../../syntax/line-report.ts';
import { HAS, type Statement } from '../../syntax/scan.ts';

/** The first version with `[word](reading)`: published builds of 4.4.5 show every bracket, those of 4.4.7 do not. */
const MARKUP_SINCE = '4.4.6';

/** Checks displayed text: rows, brackets, markup. */
export function checkDialogueText(statement: Statement, report: LineReport, engine: Engine): void {
  const { text, mask, contentStart, contentEnd, colon } = statement;
  if (contentEnd - contentStart === 4 && text.startsWith('none', contentStart)) {
    report.add('none-text', contentStart, contentEnd, { fixes: [replaceFix(contentStart, contentEnd, 'None')] });
    return;
  }
  if (contentEnd > 20_000) return;
  if (mask & HAS.bracket && isEngineAtLeast(engine.version, MARKUP_SINCE)) {
    if (colon > 0 && colon < 500 && /\]\((?:style|style-alltext|tips|ruby)=[^)]*$/.test(text.slice(0, colon))) {
      report.add('markup-speaker', 0, colon + 1, { fixes: [replaceFix(0, 0, ':')] });
      return;
    }
    checkMarkup(statement, report);
  }
  if (mask & HAS.pipe) {
    // Trailing empty rows do not count.
    let stop = contentEnd;
    while (stop > contentStart && /[|\s]/.test(text[stop - 1] as string) && text[stop - 2] !== '\\') stop -= 1;
    let rows = 1;
    for (let bar = text.indexOf('|', contentStart); bar >= 0 && bar < stop; bar = text.indexOf('|', bar + 1)) {
      if (text[bar - 1] !== '\\') rows += 1;
    }
    if (rows > 2)
      report.refer('rows', String(rows), contentStart, contentEnd, { note: statement.argument('fontSize')?.raw ?? '' });
  }
}

const namesOf = (isFlag: boolean) =>
  [...SAY.arguments.values()].filter(({ type }) => (type === 'flag') === isFlag).map(({ name }) => name);
/** An argument at the end of a text. A flag after a Latin letter may be half of a word: `the far-left`. */
const GLUED = new RegExp(
  `(?:(?<![A-Za-z\\s-])-(?:${namesOf(true).join('|')})|(?<![\\s-])-(?:(?:${namesOf(false).join('|')})=\\S+|[^\\s-]+\\.(?:ogg|mp3|wav)))$`,
);
/** The longest argument that is looked for, in characters. It bounds the time of the pattern. */
const MAX_GLUED = 120;

/** Finds an argument without the space before its hyphen, which is displayed: `A:hello。-next;`. */
export function checkGluedArgument({ text, contentStart, contentEnd }: Statement, report: LineReport): void {
  // Most texts end with another character than an argument.
  if (!/[\w"')]/.test(text.charAt(contentEnd - 1))) return;
  const from = Math.max(contentStart, contentEnd - MAX_GLUED);
  if (text.lastIndexOf('-', contentEnd) < from) return;
  const match = GLUED.exec(text.slice(from, contentEnd));
  if (match === null) return;
  const start = from + match.index;
  report.add('argument-shown', start, contentEnd, {
    values: { argument: match[0] },
    fixes: [{ title: say('fixes.spaceBefore'), edits: [{ start, end: start, text: ' ' }] }],
  });
}

function checkMarkup(statement: Statement, report: LineReport): void {
  const { text, contentStart, contentEnd } = statement;
  let open = text.indexOf('[', contentStart);
  while (open >= 0 && open < contentEnd && !report.isFull) {
    const close = text.indexOf(']', open);
    if (close < 0 || close >= contentEnd) return;
    if (text[close + 1] !== '(') {
      if (!report.has('literal-brackets')) {
        report.add('literal-brackets', open, close + 1, {
          fixes: [replaceFix(open, close + 1, `【${text.slice(open + 1, close)}】`)],
        });
      }
      open = text.indexOf('[', close);
      continue;
    }
    const stop = text.indexOf(')', close);
    if (stop < 0 || stop >= contentEnd) return;
    const call = /(?:style|style-alltext)=.*?([a-z]+)\([^(]*$/.exec(text.slice(close + 2, Math.min(stop, close + 500)));
    if (call !== null) report.add('markup-bracket', open, stop + 1, { values: { name: call[1] ?? '' } });
    open = text.indexOf('[', stop);
  }
}
