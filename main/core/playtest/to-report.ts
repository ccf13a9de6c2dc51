import type { PlaytestPlace } from '../../../shared/model/playtest/picks.ts';
import type { PlaytestFinding, PlaytestReport, Reached } from '../../../shared/model/playtest/report.ts';
import type { SeenMedia } from '../../../shared/model/playtest/seen-media.ts';
import type { StoryTestResult } from '../../../shared/model/playtest/story-test.ts';
import { CONFIG_FOLDERS } from '../../../shared/script/diagnostics/diagnose-config.ts';
import {
  ANIMATION_TABLE_PATH,
  CONFIG_PATH,
  type ProjectIndex,
} from '../../../shared/script/project-index/project-facts.ts';
import type { LineRecord } from '../../../shared/script/syntax/analyze-line.ts';
import { Statement } from '../../../shared/script/syntax/scan.ts';
import { findReferences } from '../stage/problems/find-reference.ts';
import { toPlace } from './engine-driver.ts';
import type { Exploration } from './explore.ts';
import { optionKey, placeKey, type RouteMap } from './route-map.ts';
import type { FilledNames } from './seen/filled-names.ts';
import { findMissingGalleryFiles } from './seen/gallery-files.ts';
import { judgeMedia } from './seen/seen-media.ts';
import { menuKey, type StaticRoutes } from './static-routes.ts';
import { findUnjudged } from './unjudged.ts';

export interface ReportOptions {
  index: ProjectIndex;
  routes: StaticRoutes;
  run: Exploration;
  /** Requested by the engine and not found; paths relative to the project. */
  missing: Iterable<string>;
  media: SeenMedia;
  filled: FilledNames;
  tests: readonly StoryTestResult[];
  /** The version of the engine that played. */
  played: string;
  ms: number;
}

/** Turns what a playtest saw into its report. Findings are sorted by severity, path and line. */
export function toReport(options: ReportOptions): PlaytestReport {
  const { index, routes, run, filled, tests, played, ms } = options;
  const { scenes, endings, findings: ways } = run.map.shortest();
  const seen = run.observations.all().map((one, at) => ({ ...one, route: copy(ways.get(at)) ?? one.route }));
  const files = listFiles(seen.filter(isFile), options);
  const isUnjudged = findUnjudged(index, { routes, coverage: run.coverage });
  const findings = [
    ...seen.filter((one) => !isFile(one)),
    ...toWritten(files, { index, map: run.map, filled }),
    ...findUnreached({ routes, run, endings, isUnjudged }),
    ...(run.status === 'complete' ? findImpossible(index, { routes, run, isUnjudged }) : []),
  ].sort(byPlace);
  const total = [...routes.menus.values()].reduce((sum, menu) => sum + menu.options.length, 0);
  return {
    status: run.status,
    engineVersion: index.engineVersion,
    playedEngineVersion: played,
    findings,
    routes: run.routes,
    endings: routes.endings.map(({ path, line }): Reached => {
      const place = toPlace(path, line);
      return { place, route: copy(endings.get(placeKey(place))) };
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

const isFile = ({ code }: PlaytestFinding): boolean => code === 'unreadable-file';

/** The findings of files, each once: what the server found of them, and what the engine could not read for another reason. */
function listFiles(seen: readonly PlaytestFinding[], { index, run, missing, media }: ReportOptions): PlaytestFinding[] {
  const absent = new Set([...missing, ...findMissingGalleryFiles(index, run.coverage)]);
  const { unreadable, untold } = judgeMedia(media);
  const known = new Set([...absent, ...seen.map(({ subject }) => subject)]);
  const toFinding = (code: PlaytestFinding['code'], path: string): PlaytestFinding => {
    return { code, severity: 'error', place: { path, line: 0 }, subject: path, route: null };
  };
  return [
    ...seen.filter(({ subject }) => !absent.has(subject) && !untold.has(subject)),
    ...[...absent].map((path) => toFinding('missing-file', path)),
    ...unreadable.filter((path) => !known.has(path)).map((path) => toFinding('unreadable-file', path)),
  ];
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

/**
 * Returns the findings of files at each line that names the file, or that was played with a variable that does, with the choices to
 * that line, instead of where the engine came upon it. A file that no line names stays as it is.
 */
function toWritten(
  findings: readonly PlaytestFinding[],
  { index, map, filled }: { index: ProjectIndex; map: RouteMap; filled: FilledNames },
): PlaytestFinding[] {
  const uses = findings.map((finding) => {
    const { subject } = finding;
    return { finding, places: [...findUses(index, subject), ...filled.placesOf(subject)] };
  });
  const ways = map.shortestTo(uses.flatMap(({ places }) => places));
  return uses.flatMap(({ finding, places }) => {
    if (places.length === 0) return finding;
    // The settings are read before any choice.
    const toRoute = (place: PlaytestPlace) => (SETTINGS.has(place.path) ? [] : copy(ways.get(placeKey(place))));
    return places.map((place) => ({ ...finding, place, route: toRoute(place) }));
  });
}

const SETTINGS: ReadonlySet<string> = new Set([CONFIG_PATH, ANIMATION_TABLE_PATH]);
const ANIMATION_FILE = /^game\/animation\/(.+)\.json$/;

/** The settings and lines that name a file. */
function findUses(index: ProjectIndex, path: string): PlaytestPlace[] {
  const effect = EFFECT_FILE.test(path)
    ? path
        .replace(EFFECT_FILE, '')
        .replace(/\.\w+$/, '')
        .toLowerCase()
    : null;
  const settings = (index.config ?? []).filter(({ key, value }) =>
    value.split('|').some((name) => `game/${CONFIG_FOLDERS.get(key)}/${name.trim()}` === path),
  );
  const lines = [...index.scenes()].flatMap((scene) => {
    const own =
      effect === null
        ? findReferences(toStatements(scene.records), path)
        : scene.records.flatMap(({ command, text }, line) =>
            command?.name === 'pixiPerform' && text.toLowerCase().includes(effect) ? line + 1 : [],
          );
    return own.map((line) => ({ path: scene.path, line }));
  });
  const animation = ANIMATION_FILE.exec(path)?.[1];
  const isListed = animation !== undefined && index.animations?.has(animation) === true;
  const table = isListed ? [{ path: ANIMATION_TABLE_PATH, line: 0 }] : [];
  return [...settings.map(({ line }) => toPlace(CONFIG_PATH, line)), ...table, ...lines];
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
  isUnjudged: (condition: string) => boolean;
}): PlaytestFinding[] {
  const { routes, run, endings, isUnjudged } = options;
  const found: PlaytestFinding[] = [];
  const unjudged = routes.behind(isUnjudged);
  for (const [path, lines] of routes.lines) {
    if (lines.length === 0 || routes.isLinked(path)) continue;
    found.push({ code: 'unreachable-scene', severity: 'warning', ...at(path, 1), subject: path });
  }
  for (const { path, line } of routes.endings) {
    const place = toPlace(path, line);
    if (endings.has(placeKey(place)) || !routes.isLinked(path)) continue;
    // Without all routes only the text can prove it.
    const step = routes.stepAt(path, line);
    const isOpen = run.status !== 'complete' || (step !== null && unjudged.has(step));
    if (isOpen && routes.isLinkedLine(path, line)) continue;
    found.push({ code: 'unreachable-ending', severity: 'warning', ...at(path, line + 1), subject: path });
  }
  return found;
}

/** Conditions that were never true, although every route was played. */
function findImpossible(
  index: ProjectIndex,
  { routes, run, isUnjudged }: { routes: StaticRoutes; run: Exploration; isUnjudged: (condition: string) => boolean },
): PlaytestFinding[] {
  const found: PlaytestFinding[] = [];
  for (const [path, lines] of routes.lines) {
    const records = index.scene(path)?.records ?? [];
    for (const line of lines) {
      if (!run.coverage.isOnlySkipped(path, line)) continue;
      const condition = new Statement(records[line]?.text ?? '', line, 0).argument('when')?.raw ?? '';
      if (isUnjudged(condition)) continue;
      found.push({ code: 'never-true', severity: 'warning', ...at(path, line + 1), subject: condition });
    }
  }
  for (const menu of routes.menus.values()) {
    if (!run.map.seenMenus.has(menuKey(menu.path, menu.line))) continue;
    for (const { option, text, condition } of menu.options) {
      if (run.map.offered.has(optionKey(toPlace(menu.path, menu.line), option))) continue;
      if (condition !== null && isUnjudged(condition)) continue;
      const subject = condition === null ? text : `${text} (${condition})`;
      found.push({ code: 'never-offered', severity: 'warning', ...at(menu.path, menu.line + 1), subject });
    }
  }
  return found;
}
