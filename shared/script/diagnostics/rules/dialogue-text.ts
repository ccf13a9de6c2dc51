import { type LineReport, replaceFix } from '../../syntax/line-report.ts';
import { HAS, type Statement } from '../../syntax/scan.ts';

/** Checks displayed text: rows, brackets, markup. */
export function checkDialogueText(statement: Statement, report: LineReport): void {
  const { text, mask, contentStart, contentEnd, colon } = statement;
  if (contentEnd - contentStart === 4 && text.startsWith('none', contentStart)) {
    report.add('none-text', contentStart, contentEnd, { fixes: [replaceFix(contentStart, contentEnd, 'None')] });
    return;
  }
  if (contentEnd > 20_000) return;
  if (mask & HAS.bracket) {
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
