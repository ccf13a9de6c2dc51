import type { PlaytestPlace } from '../../../shared/model/playtest/picks.ts';
import type { PlaytestFinding, PlaytestReport, Reached } from '../../../shared/model/playtest/report.ts';
import type { StoryTestResult } from '../../../shared/model/playtest/story-test.ts';
import { DEFAULT_ENGINE_VERSION } from '../../../shared/script/engine/engine-version.ts';
import type { ProjectIndex } from '../../../shared/script/project-index/project-facts.ts';
import type { LineRecord } from '../../../shared/script/syntax/analyze-line.ts';
import { Statement } from '../../../shared/script/syntax/scan.ts';
import { findReference } from '../stage/find-reference.ts';
import { toPlace } from './engine-driver.ts';
import type { Exploration } from './explore.ts';
import { endingKey, optionKey } from './route-map.ts';
import { menuKey, type StaticRoutes } from './static-routes.ts';

export interface ReportOptions {
  index: ProjectIndex;
  routes: StaticRoutes;
  run: Exploration;
  /** Requested by the engine and not found; paths relative to the project. */
  missing: Iterable<string>;
  tests: readonly StoryTestResult[];
  ms: number;
}

/** Turns what a playtest saw into its report. Findings are sorted by severity, path and line. */
export function toReport({ index, routes, run, missing, tests, ms }: ReportOptions): PlaytestReport {
  const { scenes, endings } = run.map.shortest();
  // Engines fetch what a scene names before it is played, names with variables too.
  const absent = new Set([...missing].filter((path) => !/[{}]/.test(path)));
  const findings = [
    ...run.observations
      .all()
      .filter(({ code, subject }) => code !== 'unreadable-file' || !absent.has(subject))
      .map((one) => toWritten(index, one)),
    ...[...absent].map((path) => toMissing(index, path)),
    ...findUnreached({ routes, run, endings }),
    ...(run.status === 'complete' ? findImpossible(index, { routes, run }) : []),
  ].sort(byPlace);
  const total = [...routes.menus.values()].reduce((sum, menu) => sum + menu.options.length, 0);
  return {
    status: run.status,
    engineVersion: index.engineVersion,
    playedEngineVersion: DEFAULT_ENGINE_VERSION,
    findings,
    routes: run.routes,
    endings: routes.endings.map(({ path, line }): Reached => {
      const place = toPlace(path, line);
      return { place, route: copy(endings.get(endingKey(place))) };
    }),
    scenes: [...routes.lines.keys()]
      .sort()
      .map((path): Reached => ({ place: { path, line: 1 }, route: copy(scenes.get(path)) })),
    coverage: { ...run.coverage.count(), scenes: run.coverage.scenes() },
    options: { total, taken: run.map.takenOptions.size },
    tests: [...tests],
    steps: run.steps,
    ms: Math.round(ms),
  };
}

/** Returns the report of a run of the tests alone: it plays no routes, so that it says nothing of them and lists no scene. */
export function withoutRoutes(report: PlaytestReport): PlaytestReport {
  const status = report.status === 'stopped' ? 'stopped' : 'complete';
  const coverage = { lines: 0, played: 0, scenes: [] };
  const none = { findings: [], routes: [], endings: [], scenes: [], coverage, options: { total: 0, taken: 0 } };
  return { ...report, ...none, status };
}

const copy = <T>(list: readonly T[] | undefined): T[] | null => (list ? [...list] : null);

const SEVERITIES = { error: 0, warning: 1 } as const;

function byPlace(one: PlaytestFinding, other: PlaytestFinding): number {
  return (
    SEVERITIES[one.severity] - SEVERITIES[other.severity] ||
    (one.place.path < other.place.path ? -1 : Number(one.place.path > other.place.path)) ||
    one.place.line - other.place.line
  );
}

/** Effects that older engines draw with pictures of the game. */
const EFFECT_FILE = /^game\/tex\//;

function toMissing(index: ProjectIndex, path: string): PlaytestFinding {
  const place = findUse(index, path) ?? { path, line: 0 };
  return { code: 'missing-file', severity: 'error', place, subject: path, route: null };
}

/** The line that names a file, instead of the line that was played when it failed to load. */
function toWritten(index: ProjectIndex, finding: PlaytestFinding): PlaytestFinding {
  if (finding.code !== 'unreadable-file') return finding;
  return { ...finding, place: findUse(index, finding.subject) ?? finding.place };
}

function findUse(index: ProjectIndex, path: string): PlaytestPlace | null {
  for (const scene of index.scenes()) {
    if (EFFECT_FILE.test(path)) {
      const effect = path.replace(EFFECT_FILE, '').replace(/\.\w+$/, '');
      const line = scene.records.findIndex(
        ({ command, text }) => command?.name === 'pixiPerform' && text.toLowerCase().includes(effect.toLowerCase()),
      );
      if (line >= 0) return toPlace(scene.path, line);
    } else {
      const line = findReference(toStatements(scene.records), path);
      if (line !== null) return { path: scene.path, line };
    }
  }
  return null;
}

/** Kept, because references are kept by list. */
const statements = new WeakMap<readonly LineRecord[], readonly Statement[]>();

function toStatements(records: readonly LineRecord[]): readonly Statement[] {
  const known = statements.get(records) ?? records.map((record, line) => new Statement(record.text, line, 0));
  statements.set(records, known);
  return known;
}

const at = (path: string, line: number) => ({ place: { path, line }, route: null });

/** Scenes that nothing links with the start, and endings that no route reached. */
function findUnreached(options: {
  routes: StaticRoutes;
  run: Exploration;
  endings: ReadonlyMap<string, unknown>;
}): PlaytestFinding[] {
  const { routes, run, endings } = options;
  const found: PlaytestFinding[] = [];
  for (const [path, lines] of routes.lines) {
    if (lines.length === 0 || routes.isLinked(path)) continue;
    found.push({ code: 'unreachable-scene', severity: 'warning', ...at(path, 1), subject: path });
  }
  for (const { path, line } of routes.endings) {
    const place = toPlace(path, line);
    if (endings.has(endingKey(place)) || !routes.isLinked(path)) continue;
    // Without all routes only the text can prove it.
    if (run.status !== 'complete' && routes.isLinkedLine(path, line)) continue;
    found.push({ code: 'unreachable-ending', severity: 'warning', ...at(path, line + 1), subject: path });
  }
  return found;
}

/** Conditions that were never true, although every route was played. */
function findImpossible(
  index: ProjectIndex,
  { routes, run }: { routes: StaticRoutes; run: Exploration },
): PlaytestFinding[] {
  const found: PlaytestFinding[] = [];
  const inputs = [...index.inputs.names()];
  // Other answers of the player were not tried.
  const asksPlayer = (condition: string): boolean => inputs.some((name) => condition.includes(name));
  for (const [path, lines] of routes.lines) {
    const records = index.scene(path)?.records ?? [];
    for (const line of lines) {
      if (!run.coverage.isOnlySkipped(path, line)) continue;
      const condition = new Statement(records[line]?.text ?? '', line, 0).argument('when')?.raw ?? '';
      if (asksPlayer(condition)) continue;
      found.push({ code: 'never-true', severity: 'warning', ...at(path, line + 1), subject: condition });
    }
  }
  for (const menu of routes.menus.values()) {
    if (!run.map.seenMenus.has(menuKey(menu.path, menu.line))) continue;
    for (const { option, text, condition } of menu.options) {
      if (run.map.offered.has(optionKey(toPlace(menu.path, menu.line), option))) continue;
      if (condition !== null && asksPlayer(condition)) continue;
      const subject = condition === null ? text : `${text} (${condition})`;
      found.push({ code: 'never-offered', severity: 'warning', ...at(menu.path, menu.line + 1), subject });
    }
  }
  return found;
}
