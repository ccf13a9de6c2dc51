import type { ErrorCode } from '../../errors.ts';
import { type DiagnosticMessage, say } from '../../i18n/diagnostics.ts';
import { createMemo } from '../../memo.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Locale } from '../../model/local-text.ts';
import { flowOfStory, type StoryFlow, storyAtHand } from '../flow/story-flow.ts';
import { CONFIG_PATH, type ProjectIndex } from '../project-index/project-facts.ts';
import { resolveReferences } from '../references/resolve-references.ts';
import { LINE, type LineRecord } from '../syntax/analyze-line.ts';
import type { Finding, PlacedFinding } from '../syntax/line-report.ts';
import type { SceneLines } from '../syntax/scene-lines.ts';
import { CHECK_SETTINGS_PATH, readCheckSettings } from './check-settings.ts';
import { diagnoseConfig, diagnoseFiles } from './diagnose-config.ts';
import { sceneFindings } from './scene-findings.ts';
import { toDiagnostic } from './to-diagnostic.ts';

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
  const lists: Diagnostic[][] = [];
  index.endLoading();
  // In the order of the index: searches for near names are limited, and their order decides which ones are made.
  for (const scene of index.scenes()) {
    const found = diagnoseLines(index, scene, { locale, isFragment: false, isWhole: true });
    if (found.length > 0) lists.push(found);
  }
  const others = [...diagnoseConfigFile(index, options), ...diagnoseCheckSettings(index, options)];
  for (const { path, line = 0, finding } of diagnoseFiles(index)) {
    const diagnostic = toDiagnostic(index, finding, { path, line, locale });
    if (diagnostic !== null) others.push(diagnostic);
  }
  flowOfStory(index).release();
  index.files.release();
  // Each list is sorted already, and sorting a few lists costs less than sorting all findings.
  lists.sort(([one], [other]) => ((one as Diagnostic).path < (other as Diagnostic).path ? -1 : 1));
  return mergeSorted(lists.flat(), others.sort(byPlace));
}

/** Merges two sorted lists; findings at the same place keep the order of the lists. */
function mergeSorted(these: readonly Diagnostic[], those: readonly Diagnostic[]): Diagnostic[] {
  const merged: Diagnostic[] = [];
  let at = 0;
  for (const diagnostic of these) {
    for (let next = those[at]; next !== undefined && byPlace(next, diagnostic) < 0; next = those[at]) {
      merged.push(next);
      at += 1;
    }
    merged.push(diagnostic);
  }
  for (; at < those.length; at += 1) merged.push(those[at] as Diagnostic);
  return merged;
}

function byPlace(one: Diagnostic, other: Diagnostic): number {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return one.line - other.line || one.column - other.column;
}

function diagnoseConfigFile(index: ProjectIndex, options: DiagnoseOptions): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const { line, finding } of diagnoseConfig(index, options.text)) {
    const diagnostic = toDiagnostic(index, finding, { path: CONFIG_PATH, line, locale: options.locale });
    if (diagnostic !== null) found.push(diagnostic);
  }
  return found;
}

/** Why a file of the game could not be read as text. */
const UNREADABLE: Readonly<Partial<Record<ErrorCode, DiagnosticMessage>>> = {
  E_ENCODING: say('unreadable.E_ENCODING'),
  E_TOO_LARGE: say('unreadable.E_TOO_LARGE'),
  E_DENY_PATH: say('unreadable.E_DENY_PATH'),
  E_IO: say('unreadable.E_IO'),
};

/**
 * The finding for a file of the game that is not valid text or could not be read. Null when its code is switched off.
 */
export function diagnoseUnreadable(
  index: ProjectIndex,
  file: { path: string; code: ErrorCode },
  locale: Locale,
): Diagnostic | null {
  const finding: Finding = {
    code: 'unreadable-file',
    start: 0,
    end: 1,
    values: { why: UNREADABLE[file.code] ?? file.code },
  };
  return toDiagnostic(index, finding, { path: file.path, line: 0, locale });
}

/** Sorts by path and position, the order of every list of findings. */
export function sortByPlace(found: readonly Diagnostic[]): Diagnostic[] {
  return found.toSorted(byPlace);
}

function diagnoseCheckSettings(index: ProjectIndex, { locale, text }: DiagnoseOptions): Diagnostic[] {
  const settings = text === undefined ? index.checkSettings : readCheckSettings(text);
  return (settings?.findings ?? [])
    .map(({ line, finding }) => toDiagnostic(index, finding, { path: CHECK_SETTINGS_PATH, line, locale }))
    .filter((diagnostic) => diagnostic !== null);
}

/** Cached findings of a scene, valid while only the text of single lines changes. */
interface Known {
  stamp: number;
  /** Null: the known story flow was out of date. */
  story: StoryFlow | null;
  revision: number;
  /** Findings of rules about the whole scene. */
  placed: readonly PlacedFinding[];
  /** All findings as shown. Only of scenes that are diagnosed on their own: the texts need more memory than the scene. */
  shown: { locale: Locale; found: Diagnostic[] } | null;
}

const KNOWN = createMemo<SceneLines, Known>();

function diagnoseLines(
  index: ProjectIndex,
  scene: SceneLines,
  options: { locale: Locale; isFragment: boolean; isWhole?: boolean; story?: 'at-hand' },
): Diagnostic[] {
  const { locale, isFragment } = options;
  const story = options.story === 'at-hand' ? storyAtHand(index) : flowOfStory(index);
  const known = KNOWN.get(scene);
  const isCurrent = known !== undefined && known.stamp === index.stamp && known.story === story;
  const changed = isCurrent ? scene.changedSince(known.revision) : null;
  const isPlaced = changed !== null && !known?.placed.some((placed) => isAmong(placed, changed));
  if (known?.shown?.locale === locale && isPlaced) {
    for (const line of changed) {
      const check: Check = { index, scene, locale, found: [] };
      addLine(check, line);
      replaceLine(known.shown.found, line + 1, check.found.sort(byPlace));
    }
    known.revision = scene.revision;
    return known.shown.found.slice();
  }
  const placed = known !== undefined && isPlaced ? known.placed : sceneFindings(index, scene, { story, isFragment });
  const check: Check = { index, scene, locale, found: [] };
  for (let line = 0; line < scene.records.length; line += 1) addLine(check, line);
  for (const { line, finding } of placed) addFinding(check, line, finding);
  const found = check.found.sort(byPlace);
  if (isFragment) return found;
  const isShown = options.isWhole !== true || (known !== undefined && known.shown !== null);
  const shown = isShown ? { locale, found: found.slice() } : null;
  KNOWN.set(scene, { stamp: index.stamp, story, revision: scene.revision, placed, shown });
  return found;
}

function isAmong({ line, finding }: PlacedFinding, lines: ReadonlySet<number>): boolean {
  return lines.has(line) || lines.has(line + (finding.lines ?? 0));
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
  const diagnostic = toDiagnostic(index, withinLine(finding, length), { path, line, locale, scene });
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
export function isSilenced(records: readonly LineRecord[], line: number, code: string): boolean {
  const before = records[line - 1];
  if (before === undefined || (before.flags & LINE.ignore) === 0) return false;
  const codes = IGNORE.exec(before.text)?.[1]?.split(/[\s,]+/) ?? [];
  return codes.includes(code);
}
