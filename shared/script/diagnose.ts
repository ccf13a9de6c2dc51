import type { ErrorCode } from '../errors.ts';
import type { Diagnostic, Fix, Range, Severity } from '../model/diagnostic.ts';
import type { Locale, LocalText } from '../model/text.ts';
import { LINE, type LineRecord } from './analyze-line.ts';
import { CHECK_SETTINGS_PATH, readCheckSettings } from './check-settings.ts';
import { diagnosticOf } from './diagnostics/diagnostic-table.ts';
import { flowOfStory, type StoryFlow, storyAtHand } from './flow/story-flow.ts';
import type { Finding, LineEdit } from './line-report.ts';
import { CONFIG_PATH, type ProjectIndex } from './project-facts.ts';
import { diagnoseConfig, diagnoseFiles } from './project-rules.ts';
import { resolveReferences } from './resolve-references.ts';
import { sceneFindings } from './scene-findings.ts';
import type { SceneLines } from './scene-lines.ts';
import { whyUnreadable } from './why-unreadable.ts';

export interface DiagnoseOptions {
  locale: Locale;
  /** A text to check instead of the one in the index: a draft, or unsaved text. */
  text?: string;
  /**
   * `at-hand`: findings about the whole story may predate the last changes of a large story; they are placed at the
   * current position of their lines. This keeps the call fast. Call again without it later for current findings.
   */
  story?: 'at-hand';
}

/** Path for a text that is not a file of the project while it is checked. */
const FRAGMENT_PATH = 'game/scene/\u0000';

/**
 * All findings of one scene (or config.txt), in order of position. `path` null checks `text` as a script fragment:
 * rules about the start and end of a scene are skipped. Never throws.
 */
export function diagnoseScene(index: ProjectIndex, path: string | null, options: DiagnoseOptions): Diagnostic[] {
  const { locale, text } = options;
  if (path === CONFIG_PATH) return diagnoseConfigFile(index, options);
  if (path === CHECK_SETTINGS_PATH) return diagnoseCheckSettings(index, options);
  if (text === undefined) {
    const scene = path === null ? undefined : index.scene(path);
    return scene === undefined ? [] : diagnoseLines(index, scene, { ...options, isFragment: false });
  }
  const at = path ?? FRAGMENT_PATH;
  const before = index.scene(at)?.text;
  const wasFile = index.files.has(at);
  index.setScene(at, text);
  const scene = index.scene(at) as SceneLines;
  const found = diagnoseLines(index, scene, { locale, isFragment: path === null });
  if (before !== undefined) index.setScene(at, before);
  else {
    index.removeScene(at);
    if (wasFile) index.addFile(at);
  }
  return path === null ? found.map((diagnostic) => ({ ...diagnostic, path: '' })) : found;
}

/** All findings of the project: every scene, config.txt, and those about files. Sorted by path and position. */
export function diagnoseProject(index: ProjectIndex, options: { locale: Locale }): Diagnostic[] {
  const { locale } = options;
  const found: Diagnostic[] = [];
  // Pushed one by one: a scene can have more findings than a call takes arguments.
  for (const scene of index.scenes())
    for (const diagnostic of diagnoseLines(index, scene, { locale, isFragment: false })) found.push(diagnostic);
  found.push(...diagnoseConfigFile(index, options), ...diagnoseCheckSettings(index, options));
  for (const { path, line = 0, finding } of diagnoseFiles(index)) {
    const diagnostic = place(index, finding, { path, line, locale });
    if (diagnostic !== null) found.push(diagnostic);
  }
  return found.sort(byPlace);
}

function byPlace(one: Diagnostic, other: Diagnostic): number {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return one.line - other.line || one.column - other.column;
}

function diagnoseConfigFile(index: ProjectIndex, options: DiagnoseOptions): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const { line, finding } of diagnoseConfig(index, options.text)) {
    const diagnostic = place(index, finding, { path: CONFIG_PATH, line, locale: options.locale });
    if (diagnostic !== null) found.push(diagnostic);
  }
  return found;
}

/**
 * The finding for a file of the game that is not valid text or could not be read. Null when its code is switched off.
 */
export function diagnoseUnreadable(
  index: ProjectIndex,
  file: { path: string; code: ErrorCode },
  locale: Locale,
): Diagnostic | null {
  const finding: Finding = { code: 'unreadable-file', start: 0, end: 1, values: { why: whyUnreadable(file.code) } };
  return place(index, finding, { path: file.path, line: 0, locale });
}

/** Sorts by path and position, the order of every list of findings. */
export function sortByPlace(found: readonly Diagnostic[]): Diagnostic[] {
  return found.toSorted(byPlace);
}

function diagnoseCheckSettings(index: ProjectIndex, { locale, text }: DiagnoseOptions): Diagnostic[] {
  const settings = text === undefined ? index.checkSettings : readCheckSettings(text);
  return (settings?.findings ?? [])
    .map(({ line, finding }) => place(index, finding, { path: CHECK_SETTINGS_PATH, line, locale }))
    .filter((diagnostic) => diagnostic !== null);
}

/** Cached findings of a scene, valid while only the text of single lines changes. */
interface Known {
  stamp: number;
  /** Null: the known story flow was out of date. */
  story: StoryFlow | null;
  revision: number;
  locale: Locale;
  found: Diagnostic[];
  /** Lines that have findings of rules about the whole scene. */
  sceneLines: ReadonlySet<number>;
}

const KNOWN = new WeakMap<SceneLines, Known>();

function diagnoseLines(
  index: ProjectIndex,
  scene: SceneLines,
  options: { locale: Locale; isFragment: boolean; story?: 'at-hand' },
): Diagnostic[] {
  const { locale, isFragment } = options;
  const story = options.story === 'at-hand' ? storyAtHand(index) : flowOfStory(index);
  const known = KNOWN.get(scene);
  const isCurrent =
    known !== undefined && known.stamp === index.stamp && known.locale === locale && known.story === story;
  const changed = isCurrent ? scene.changedSince(known.revision) : null;
  if (known !== undefined && changed !== null && ![...changed].some((line) => known.sceneLines.has(line))) {
    for (const line of changed) {
      const check: Check = { index, scene, locale, found: [] };
      addLine(check, line);
      replaceLine(known.found, line + 1, check.found.sort(byPlace));
    }
    known.revision = scene.revision;
    return known.found.slice();
  }
  const check: Check = { index, scene, locale, found: [] };
  for (let line = 0; line < scene.records.length; line += 1) addLine(check, line);
  const sceneLines = new Set<number>();
  for (const { line, finding } of sceneFindings(index, scene, { story, isFragment })) {
    sceneLines.add(line).add(line + (finding.lines ?? 0));
    addFinding(check, line, finding);
  }
  const found = check.found.sort(byPlace);
  if (isFragment) return found;
  KNOWN.set(scene, {
    stamp: index.stamp,
    story,
    revision: scene.revision,
    locale,
    found,
    sceneLines,
  });
  return found.slice();
}

/** Replaces the findings of one line (1-based); both lists are sorted. */
function replaceLine(found: Diagnostic[], line: number, anew: readonly Diagnostic[]): void {
  let from = 0;
  for (let to = found.length; from < to; ) {
    const middle = (from + to) >> 1;
    if ((found[middle] as Diagnostic).line < line) from = middle + 1;
    else to = middle;
  }
  let count = 0;
  while (found[from + count]?.line === line) count += 1;
  found.splice(from, count, ...anew);
}

interface Check {
  index: ProjectIndex;
  scene: SceneLines;
  locale: Locale;
  found: Diagnostic[];
}

/** Adds the findings of a line itself and of its references. */
function addLine(check: Check, line: number): void {
  const record = check.scene.records[line] as LineRecord;
  if (record.findings !== null) for (const finding of record.findings) addFinding(check, line, finding);
  if (record.depends !== 0)
    for (const finding of resolveReferences(record, check.index)) addFinding(check, line, finding);
}

function addFinding({ index, scene, locale, found }: Check, line: number, finding: Finding): void {
  const { records, path } = scene;
  if (isSilenced(records, line, finding.code)) return;
  const length = records[line + (finding.lines ?? 0)]?.text.length ?? 0;
  const diagnostic = place(index, withinLine(finding, length), { path, line, locale, scene });
  if (diagnostic !== null && !isDuplicate(found, diagnostic)) found.push(diagnostic);
}

/**
 * True when the same message is already listed for the line; it is reported once, at the first position. Findings of a
 * line are consecutive.
 */
function isDuplicate(found: readonly Diagnostic[], { line, code, message }: Diagnostic): boolean {
  for (let at = found.length - 1; at >= 0; at -= 1) {
    const other = found[at] as Diagnostic;
    if (other.line !== line) return false;
    if (other.code === code && other.message === message) return true;
  }
  return false;
}

/** Something missing has no extent: the last character before the gap is marked instead. */
function withinLine(finding: Finding, length: number): Finding {
  if (finding.lines) return finding;
  if (finding.start < finding.end && finding.end <= length) return finding;
  const end = Math.min(Math.max(finding.end, finding.start + 1), length);
  return { ...finding, start: Math.max(0, Math.min(finding.start, end - 1)), end };
}

const IGNORE = /@ignore\s+([\w-]+(?:[\s,]+[\w-]+)*)/;

/** `;@ignore CODE` on the line before suppresses that code for one line. */
function isSilenced(records: readonly LineRecord[], line: number, code: string): boolean {
  const before = records[line - 1];
  if (before === undefined || (before.flags & LINE.ignore) === 0) return false;
  const codes = IGNORE.exec(before.text)?.[1]?.split(/[\s,]+/) ?? [];
  return codes.includes(code);
}

/** Position of a finding; columns are those of records. */
interface FindingPlace {
  path: string;
  /** 0-based. */
  line: number;
  locale: Locale;
  scene?: SceneLines;
}

/** Converts a finding to a diagnostic with message and range; null when the project has switched its code off. */
function place(index: ProjectIndex, finding: Finding, where: FindingPlace): Diagnostic | null {
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
