import type { Diagnostic, Fix, Range, Severity } from '../../model/diagnostic.ts';
import type { Locale, LocalText } from '../../model/text.ts';
import type { ProjectIndex } from '../index/project-facts.ts';
import type { SceneLines } from '../syntax/scene-lines.ts';
import type { Finding, LineEdit } from './line-report.ts';
import { diagnosticOf } from './messages/diagnostic-table.ts';

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
  const declaration = diagnosticOf(finding.code);
  const severity = index.severityOf(finding.code, finding.severity ?? declaration.severity);
  if (severity === 'off') return null;
  const { message, hint } = declaration;
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
    message: fill(message[locale], finding.values, locale),
  };
  if (hint) diagnostic.fixHint = fill(hint[locale], finding.values, locale);
  if (finding.fixes !== undefined) {
    const fixes = finding.fixes
      .filter(({ edits }) => where.scene === undefined || edits.every((edit) => staysInLine(where, edit)))
      .map(
        (fix): Fix => ({
          title: fix.title[locale],
          edits: fix.edits.map((edit) => ({ ...toRange(where, edit.start, edit.end, line), newText: edit.text })),
        }),
      );
    if (fixes.length > 0) diagnostic.fixes = fixes;
  }
  if (finding.related) {
    diagnostic.related = finding.related.map((other) => ({
      ...toRange(where, other.start, other.end, other.line),
      path,
      message: other.message[locale],
    }));
  }
  return diagnostic;
}

function placeOf({ scene }: FindingPlace, line: number, column: number, side: 'start' | 'end') {
  return scene?.placeOf(line, column, side) ?? { line, column };
}

function toRange(where: FindingPlace, start: number, end: number, line: number, lines = 0): Range {
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

/** Longer values are cut in messages. */
const MAX_VALUE_LENGTH = 60;

/** Templates split at placeholders: texts at even indexes, value names at odd ones. */
const TEMPLATES = new Map<string, readonly string[]>();

function fill(template: string, values: Finding['values'], locale: Locale): string {
  if (values === undefined) return template;
  let parts = TEMPLATES.get(template);
  if (parts === undefined) {
    parts = template.split(/\{(\w+)\}/);
    TEMPLATES.set(template, parts);
  }
  if (parts.length === 1) return template;
  let filled = parts[0] as string;
  for (let at = 1; at < parts.length; at += 2) {
    const name = parts[at] as string;
    const value: string | LocalText | undefined = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) filled += `{${name}}`;
    else if (typeof value !== 'string') filled += value[locale];
    else filled += value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH)}…` : value;
    filled += parts[at + 1] as string;
  }
  return filled;
}
