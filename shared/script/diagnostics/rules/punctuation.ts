import { say } from '../../../i18n/diagnostics.ts';
import { toHalfWidth } from '../../project-index/near-names.ts';
import { findCommand, SAY } from '../../syntax/commands.ts';
import { type LineReport, replaceFix } from '../../syntax/line-report.ts';
import { HAS, Statement } from '../../syntax/scan.ts';

const EFFECT = {
  colon: say('notes.wholeLineShown'),
  semicolon: say('notes.shownAsText'),
};

/** Language data: Chinese verbs before direct speech. */
const ENDS_WITH_SPEECH_VERB = /[说道问答喊叫想曰写念称告云讲唱骂笑哭]$/;

/** Some games write the names of speakers in quotes. */
const QUOTED = /^[“「]([^“”「」]+)[”」]$/;

/** Finds a full-width colon and semicolon in place of ASCII ones. */
export function checkFullWidth(statement: Statement, report: LineReport): void {
  const { text, end, colon, mask } = statement;
  const lead = text.length - text.trimStart().length;
  if (text[lead] === '；') {
    addFullWidthSemicolon(lead, report);
    return;
  }
  if (text[lead] === '：' && colon < 0) {
    report.add('fullwidth-punctuation', lead, lead + 1, {
      values: { mark: '：', plain: ':', effect: EFFECT.semicolon },
      fixes: [plainFix(lead, ':')],
    });
    return;
  }
  let semicolonAt = -1;
  if ((mask & HAS.semicolon) === 0) {
    const trimmed = text.trimEnd();
    if (trimmed.endsWith('；')) semicolonAt = trimmed.length - 1;
  }
  const wide = colon < 0 ? text.indexOf('：') : -1;
  if (wide > 0 && wide < end) {
    const word = text.slice(0, wide).trim();
    const plain = toHalfWidth(word);
    const fix = plainFix(wide, ':');
    const edits = [{ start: 0, end: wide + 1, text: `${plain}:` }];
    if (semicolonAt >= 0) edits.push({ start: semicolonAt, end: semicolonAt + 1, text: ';' });
    if (findCommand(plain) !== undefined) {
      report.add('fullwidth-punctuation', wide, wide + 1, {
        severity: 'error',
        values: { mark: '：', plain: ':', effect: EFFECT.colon },
        fixes: [{ title: fix.title, edits }],
      });
      return;
    }
    const name = QUOTED.exec(word)?.[1] ?? word;
    if (name.length <= 12 && !/[\s，。！？、“”「」…;{}]/.test(name)) {
      // Whether it is a speaker's name depends on the project; a `；` at the end suggests it, too.
      if (semicolonAt >= 0 && name === word && !ENDS_WITH_SPEECH_VERB.test(word)) {
        report.add('fullwidth-punctuation', wide, wide + 1, {
          values: { mark: '：', plain: ':', effect: EFFECT.colon },
          fixes: [
            {
              title: say('fixes.plainPunctuation'),
              edits: [
                { start: wide, end: wide + 1, text: ':' },
                { start: semicolonAt, end: semicolonAt + 1, text: ';' },
              ],
            },
          ],
        });
        return;
      }
      report.refer('maybe-speaker', word, wide, wide + 1);
    }
  }
  if (semicolonAt >= 0) addFullWidthSemicolon(semicolonAt, report);
}

/** Named in words: a mark alone is hardly seen in a title. */
function plainFix(at: number, mark: string) {
  return { ...replaceFix(at, at + 1, mark), title: say('fixes.plainPunctuation') };
}

function addFullWidthSemicolon(at: number, report: LineReport): void {
  report.add('fullwidth-punctuation', at, at + 1, {
    values: { mark: '；', plain: ';', effect: EFFECT.semicolon },
    fixes: [plainFix(at, ';')],
  });
}

/** The finding for a `maybe-speaker` reference that is a speaker. */
export function fullWidthColonFinding(start: number) {
  return {
    code: 'fullwidth-punctuation' as const,
    start,
    end: start + 1,
    values: { mark: '：', plain: ':', effect: EFFECT.colon },
    fixes: [plainFix(start, ':')],
  };
}

/** Finds `//` and `#` comments of other languages. */
export function checkForeignComment(statement: Statement, report: LineReport): void {
  const { text, end, mask } = statement;
  if (mask & HAS.slashes) {
    const match = /(?:^|[\s。！？，,.!?;；）)”」])\/\/(?!\/)/.exec(text.slice(0, end));
    if (match) {
      const at = match.index + match[0].length - 2;
      const from = text.slice(0, at).trimEnd().length;
      report.add('slash-comment', at, end, {
        values: { mark: '//' },
        fixes: [
          {
            title: say('fixes.semicolonBefore'),
            edits: [{ start: from, end: at, text: from === 0 ? ';' : '; ' }],
          },
        ],
      });
    }
  }
  if (mask & HAS.hash && /^\s*#+\s/.test(text)) {
    const at = text.indexOf('#');
    report.add('slash-comment', at, end, {
      values: { mark: '#' },
      fixes: [
        {
          title: say('fixes.semicolonBefore'),
          edits: [{ start: at, end: at, text: ';' }],
        },
      ],
    });
  }
}

/** Checks the text after the semicolon. */
export function checkAfterSemicolon(statement: Statement, report: LineReport): void {
  const { text, end } = statement;
  if (statement.mask & HAS.bracket) {
    const open = text.lastIndexOf('](', end);
    if (open >= 0 && text.indexOf(')', open) > end && text.lastIndexOf(')', end) < open) {
      report.add('unescaped-semicolon', end, end + 1, { fixes: [replaceFix(end, end + 1, '\\;')] });
      return;
    }
  }
  const rest = text.slice(end + 1);
  if (statement.command === SAY && isTruncated(statement, rest)) {
    // Behind a comma a second mark was not meant.
    const mark = /[,，、]/.test(text[end - 1] ?? '') ? '' : '\\;';
    report.add('unescaped-semicolon', end, end + 1, { fixes: [replaceFix(end, end + 1, mark)] });
    return;
  }
  const match = /^\s*([^\s:：;]{1,20})\s*:(?!\/\/)/.exec(rest);
  if (match === null) return;
  const [, word = ''] = match;
  const start = end + 1 + (rest.length - rest.trimStart().length);
  const stop = text.trimEnd().length;
  if (findCommand(word) !== undefined) {
    report.add('statement-after-semicolon', start, stop, { values: { text: rest.trim() } });
  } else if (/;\s*$/.test(rest)) {
    report.refer('maybe-statement', word, start, stop, { note: rest.trim() });
  }
}

const STYLE = /(?:^|[\s(:])style(?:-alltext)?=[^\s;]*$/;
// Language data: words that begin a note of the user.
const REMARK = /^(?:[/#;*<>=~—-]|todo|note|fixme|ps\b|注|备注|提示|说明|旧|原|改)/i;

const SENTENCE_END = /[。！？….!?~～][”’」』"')）]*$/;

/**
 * True when the text after the semicolon was meant to be displayed: the rest of a style, or the rest of a sentence,
 * which ends with another semicolon. A remark does not; without that semicolon only an English sentence that goes on in lower case is told.
 */
function isTruncated({ text, colon, end }: Statement, rest: string): boolean {
  if (STYLE.test(text.slice(colon + 1, end)) && /^\S/.test(rest)) return true;
  const said = rest.trim();
  const isClosed = said.endsWith(';');
  if (said.length < 3 || REMARK.test(said)) return false;
  const [before, behind] = [text.slice(colon + 1, end).trim(), (isClosed ? said.slice(0, -1) : said).trim()];
  // A word with a colon looks like a statement, which has a rule of its own.
  if (before === '' || /[;:：]/.test(behind) || SENTENCE_END.test(before)) return false;
  const goesOn = /^[a-z]+\s+[a-z]/.test(behind);
  const isSentence = SENTENCE_END.test(behind);
  return isClosed ? isSentence || goesOn : isSentence && goesOn && /[a-z]['"’”)]?$/i.test(before);
}

/** Reports a missing `;`. It has no effect, so the severity is low. */
export function checkMissingSemicolon(statement: Statement, report: LineReport): void {
  const stop = statement.text.trimEnd().length;
  // These findings include the correct spelling; a foreign comment needs its semicolon at the beginning.
  if (report.has('fullwidth-punctuation') || report.has('continuation-line') || report.has('slash-comment')) return;
  if (statement.command?.name === 'intro' && statement.text[stop - 1] === '；') {
    addFullWidthSemicolon(stop - 1, report);
    return;
  }
  // After a backslash it would be a character of the text.
  if (statement.text[stop - 1] === '\\') return;
  // `end` with a blank after it is dialogue, and `end;` is the command.
  if (stop < statement.text.length) {
    const ended = new Statement(`${statement.text.slice(0, stop)};`, statement.line, statement.offset);
    if (ended.command !== statement.command) return;
  }
  report.add('missing-semicolon', stop - 1, stop, {
    fixes: [{ title: say('fixes.semicolon'), edits: [{ start: stop, end: stop, text: ';' }] }],
  });
}
