import type { TextEdit } from '../model/diagnostic.ts';
import { isContinuation } from './fold-lines.ts';
import { toParserSentence } from './parser-sentence.ts';
import { Statement, scanScene } from './scan.ts';

/**
 * A line set out evenly: one blank before each argument, none at the ends, a semicolon behind the statement. A line
 * whose meaning would change is left as it is; the scanner is asked each time.
 */
export function formatLine(line: string): string {
  if (line.length > 20_000 || line.includes('\r')) return line;
  const statement = new Statement(line, 0, 0);
  const formatted = setOut(statement);
  return formatted !== line && isSame(line, formatted) ? formatted : line;
}

function setOut(statement: Statement): string {
  const { text, command, colon, end } = statement;
  if (command === null) return text.trim() === '' ? '' : text.trimEnd();
  const parts = [text.slice(0, colon + 1), text.slice(statement.contentStart, statement.contentEnd)];
  for (const argument of statement.arguments) {
    const name = text.slice(argument.nameStart, argument.isVoice ? argument.valueEnd : argument.nameEnd).trimEnd();
    const value =
      argument.isVoice || argument.raw === null ? '' : `=${text.slice(argument.valueStart, argument.valueEnd)}`;
    parts.push(` -${name}${value}`);
  }
  // A wide semicolon at the end was meant for the other one: that is a finding, and one more sign would hide it.
  if (end === text.length && /；\s*$/.test(text)) return parts.join('');
  const comment = end < text.length ? text.slice(end + 1).trimEnd() : '';
  return `${parts.join('')};${comment}`;
}

function isSame(one: string, other: string): boolean {
  const read = (line: string) =>
    JSON.stringify(scanScene(line).map((statement) => toParserSentence(statement, '4.6.1')));
  return read(one) === read(other);
}

/** The edits that set a scene out evenly, one per changed line. Line endings and the byte order mark stay. */
export function formatScene(text: string): TextEdit[] {
  const edits: TextEdit[] = [];
  const statements = scanScene(text);
  for (const [at, statement] of statements.entries()) {
    // A semicolon in the midst of a statement that goes on over several lines would cut it.
    const next = statements[at + 1]?.text ?? '';
    const isForced = statement.text.endsWith('\\') || (statements[at - 1]?.text.endsWith('\\') ?? false);
    if (isForced || isContinuation(statement.text) || isContinuation(next)) continue;
    const newText = formatLine(statement.text);
    // A carriage return in the midst of a line moves its columns: such a line is left as it is.
    if (newText === statement.text || !text.startsWith(statement.text, statement.offset)) continue;
    edits.push({
      line: statement.line + 1,
      column: 1,
      endLine: statement.line + 1,
      endColumn: statement.text.length + 1,
      newText,
    });
  }
  return edits;
}
