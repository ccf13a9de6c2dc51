import {
  MAX_SHOWN_FINDINGS,
  type PlayedScene,
  type PlaytestRequest,
  type PlaytestResult,
} from '../../../../shared/model/playtest/playtest-state.ts';
import type { PlaytestReport } from '../../../../shared/model/playtest/report.ts';

/** The last result, with the texts that it is about. */
export interface LastPlaytest {
  report: PlaytestReport;
  result: PlaytestResult;
  scene(path: string): PlayedScene | null;
  /** Scenes whose present text is known to be another one. */
  changed(): string[];
  /** Returns the paths whose text has to be compared when these have unsaved text now. */
  openPaths(open: readonly string[]): string[];
  /** Compares present texts with the played ones; `read` returns null for a scene that is gone. True if `changed` differs. */
  compare(paths: readonly string[], read: (path: string) => Promise<string | null>): Promise<boolean>;
}

interface Ended {
  report: PlaytestReport;
  /** The texts of all scenes that were played, by path. */
  scenes: ReadonlyMap<string, string>;
  number: number;
  at: number;
  request: PlaytestRequest;
  /** The result before: a run of the tests alone keeps what is known of the routes. */
  before: LastPlaytest | null;
}

export function toLast(ended: Ended): LastPlaytest {
  const { number, at, request, before } = ended;
  if (request.onlyTests && before !== null) {
    const report = { ...before.report, tests: mergeTests(before.report.tests, ended) };
    return { ...before, report, result: { ...before.result, number, tests: report.tests } };
  }
  const { scenes, report } = ended;
  const coverage = new Map(report.coverage.scenes.map((scene) => [scene.path, scene]));
  const changed = new Set<string>();
  let open: readonly string[] = [];
  return {
    report,
    result: toResult(report, { number, at, request }),
    scene(path) {
      const never = coverage.get(path)?.never ?? [];
      const text = scenes.get(path);
      return text === undefined || never.length === 0 ? null : { at, lines: toLines(text), never };
    },
    changed: () => [...changed].sort(),
    openPaths(now) {
      const paths = [...new Set([...now, ...open])];
      open = now;
      return paths;
    },
    async compare(paths, read) {
      let isNews = false;
      for (const path of paths) {
        const played = scenes.get(path);
        if (played === undefined) continue;
        const text = await read(path);
        const isSame = text !== null && toLines(text).join('\n') === toLines(played).join('\n');
        if (isSame === !changed.has(path)) continue;
        isNews = true;
        if (isSame) changed.delete(path);
        else changed.add(path);
      }
      return isNews;
    },
  };
}

/** The lines of a text as an editor counts them. */
const toLines = (text: string): string[] => text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);

/** A test that was run alone takes the place of its last result. */
function mergeTests(
  before: PlaytestReport['tests'],
  { report: { tests }, request }: Pick<Ended, 'report' | 'request'>,
): PlaytestReport['tests'] {
  if (request.test === undefined) return tests;
  const at = before.findIndex(({ name }) => name === request.test);
  return at < 0 ? [...before, ...tests] : [...before.slice(0, at), ...tests, ...before.slice(at + 1)];
}

function toResult(
  report: PlaytestReport,
  run: { number: number; at: number; request: PlaytestRequest },
): PlaytestResult {
  const errors = report.findings.filter(({ severity }) => severity === 'error').length;
  return {
    ...report,
    ...run,
    routes: report.routes.length,
    findings: report.findings.slice(0, MAX_SHOWN_FINDINGS),
    errors,
    warnings: report.findings.length - errors,
    endings: report.endings.slice(0, MAX_SHOWN_FINDINGS),
    scenes: report.scenes.slice(0, MAX_SHOWN_FINDINGS),
  };
}
