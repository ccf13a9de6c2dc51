import type { MessageValue } from '../../i18n/catalogue.ts';
import { type DiagnosticKey, diagnosticTexts } from '../../i18n/diagnostics.ts';
import type { Diagnostic, Fix, Range, Severity } from '../../model/diagnostic.ts';
import type { Locale } from '../../model/local-text.ts';
import type { ProjectIndex } from '../project-index/project-facts.ts';
import { isContinuation } from '../syntax/fold-lines.ts';
import type { Finding, LineEdit } from '../syntax/line-report.ts';
import type { SceneLines } from '../syntax/scene-lines.ts';
import { DIAGNOSTICS } from './diagnostic-table.ts';

/** Position of a finding; columns are those of records. */
export interface FindingPlace {
  path: string;
  /** 0-based. */
  line: number;
  locale: Locale;
  scene?: SceneLines;
}

/** Converts a finding to a diagnostic with message and range; null when the project has switched its code off. */
export function toDiagnostic(index: ProjectIndex, finding: Finding, where: FindingPlace): Diagnostic | null {
  const { path, line, locale } = where;
  const declaration = DIAGNOSTICS[finding.code];
  const severity = index.severityOf(finding.code, finding.severity ?? declaration.severity);
  if (severity === 'off') return null;
  const values = truncateLongValues(finding.values);
  const translate = (key: DiagnosticKey, given?: Finding['values']) => diagnosticTexts.translate(locale, key, given);
  const range = toRange(where, finding.start, finding.end, line, finding.lines);
  const diagnostic: Diagnostic = {
    path,
    line: range.line,
    column: range.column,
    endLine: range.endLine,
    endColumn: range.endColumn,
    kind: declaration.kind,
    severity: severity satisfies Severity,
    code: finding.code,
    message: translate(declaration.message, values),
    fixHint: translate(declaration.hint, values),
  };
  if (finding.fixes !== undefined) {
    const fixes = finding.fixes
      .filter(
        ({ edits }) =>
          where.scene === undefined || edits.every((edit) => staysInLine(where, edit) && !cutsStatement(where, edit)),
      )
      .map(
        (fix): Fix => ({
          title: translate(fix.title.key, fix.title.values),
          edits: fix.edits.map((edit) => ({ ...toRange(where, edit.start, edit.end, line), newText: edit.text })),
        }),
      );
    if (fixes.length > 0) diagnostic.fixes = fixes;
  }
  if (finding.related) {
    diagnostic.related = finding.related.map((other) => ({
      ...toRange(where, other.start, other.end, other.line),
      path,
      message: translate(other.message.key, other.message.values),
    }));
  }
  return diagnostic;
}

function placeOf({ scene }: FindingPlace, line: number, column: number, side: 'start' | 'end') {
  return scene?.placeOf(line, column, side) ?? { line, column };
}

function toRange(where: FindingPlace, start: number, end: number, line: number, lines = 0): Range {
  if (lines === 0 && (where.scene === undefined || where.scene.isPlain(line)))
    return { line: line + 1, column: start + 1, endLine: line + 1, endColumn: end + 1 };
  const to = placeOf(where, line + lines, end, 'end');
  const from = start === end && lines === 0 ? to : placeOf(where, line, start, 'start');
  return { line: from.line + 1, column: from.column + 1, endLine: to.line + 1, endColumn: to.column + 1 };
}

/**
 * False for an edit that deletes text across the boundary of two lines of one statement: it could split or join them,
 * and the engine counts lines.
 */
function staysInLine(where: FindingPlace, { start, end }: LineEdit): boolean {
  const upper = placeOf(where, where.line, start, 'end').line;
  if (placeOf(where, where.line, end, 'end').line !== upper) return false;
  return start === end || placeOf(where, where.line, start, 'start').line === upper;
}

/** True for a semicolon before a line that engines from 4.6.3 on read as a part of the same statement. */
function cutsStatement({ scene, line }: FindingPlace, { text }: LineEdit): boolean {
  const below = text === ';' && scene?.isPlain(line) ? scene.records[line + 1] : undefined;
  return below !== undefined && isContinuation(below.text);
}

/** Longer values are cut in messages. */
const MAX_VALUE_LENGTH = 60;

/** Cuts long values: text of the game could make a message of any length. */
function truncateLongValues(values: Finding['values']): Finding['values'] {
  if (values === undefined) return undefined;
  let cut: Record<string, MessageValue<DiagnosticKey>> | undefined;
  for (const name in values) {
    const value = values[name];
    if (typeof value !== 'string' || value.length <= MAX_VALUE_LENGTH) continue;
    cut ??= { ...values };
    cut[name] = `${value.slice(0, MAX_VALUE_LENGTH)}…`;
  }
  return cut ?? values;
}
