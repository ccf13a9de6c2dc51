import type { TextEdit } from '../../model/diagnostic.ts';
import { isContinuation } from '../syntax/fold-lines.ts';
import { Statement, scanScene } from '../syntax/scan.ts';
import { endOfName } from '../syntax/scan-arguments.ts';
import { toParserSentence } from './parser-sentence.ts';

/** The parser of newer engines reads lines in the same way. */
const NEWEST = '4.6.1';

/**
 * Formats a line: one blank before each argument, none at the ends, a semicolon after the statement. Returns the line
 * unchanged if formatting would change its meaning for the parser of that engine.
 */
export function formatLine(line: string, version = NEWEST): string {
  // A line is read as a scene here, which would take a mark of byte order for that of the file.
  if (line.length > 20_000 || line.includes('\r') || line.startsWith('\ufeff')) return line;
  const statement = new Statement(line, 0, 0);
  if (statement.arguments.some((argument) => endOfName(line, argument, version) !== argument.nameEnd)) return line;
  const formatted = toFormatted(statement);
  return formatted !== line && isSame(line, formatted, version) ? formatted : line;
}

function toFormatted(statement: Statement): string {
  const { text, command, colon, end } = statement;
  if (command === null) return text.trim() === '' ? '' : text.trimEnd();
  const parts = [text.slice(0, colon + 1), text.slice(statement.contentStart, statement.contentEnd)];
  for (const argument of statement.arguments) {
    const name = text.slice(argument.nameStart, argument.isVoice ? argument.valueEnd : argument.nameEnd).trimEnd();
    const value =
      argument.isVoice || argument.raw === null ? '' : `=${text.slice(argument.valueStart, argument.valueEnd)}`;
    parts.push(` -${name}${value}`);
  }
  // A full-width semicolon at the end is a finding of its own, which an added semicolon would hide.
  if (end === text.length && /；\s*$/.test(text)) return parts.join('');
  const comment = end < text.length ? text.slice(end + 1).trimEnd() : '';
  return `${parts.join('')};${comment}`;
}

function isSame(one: string, other: string, version: string): boolean {
  const read = (line: string) =>
    JSON.stringify(scanScene(line).map((statement) => toParserSentence(statement, version)));
  return read(one) === read(other);
}

/** Edits that format a scene, one per changed line. Line endings and the byte order mark are kept. */
export function formatScene(text: string, version = NEWEST): TextEdit[] {
  const edits: TextEdit[] = [];
  const statements = scanScene(text);
  for (const [at, statement] of statements.entries()) {
    // A semicolon within a statement that spans several lines would end it.
    const next = statements[at + 1]?.text ?? '';
    const isForced = statement.text.endsWith('\\') || (statements[at - 1]?.text.endsWith('\\') ?? false);
    if (isForced || isContinuation(statement.text) || isContinuation(next)) continue;
    const newText = formatLine(statement.text, version);
    // A carriage return within a line shifts its columns: such a line is left unchanged.
    // Fewer blanks before a dash would make a line of its own a part of the one above.
    if (isContinuation(newText)) continue;
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
