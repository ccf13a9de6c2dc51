import type { TranslatePlaytest } from '../../i18n/playtest.ts';
import { toSceneName } from '../../script/project-index/project-facts.ts';
import type { Pick, PlaytestPlace } from './picks.ts';
import type { PlaytestFinding, PlaytestProgress, PlaytestReport } from './report.ts';
import type { StoryTestResult } from './story-test.ts';

/** Returns a finding in words. */
export function wordFinding(translate: TranslatePlaytest, { code, subject }: PlaytestFinding): string {
  const key = code === 'stuck-line' && subject !== '' ? 'stuck-line-because' : code;
  return translate(`finding.${key}`, { subject });
}

export function wordPlace({ path, line }: PlaytestPlace): string {
  return `${toSceneName(path)}:${line}`;
}

/** Returns the choices of a route in words; blank for null. */
export function wordRoute(translate: TranslatePlaytest, route: readonly Pick[] | null): string {
  if (route === null) return '';
  if (route.length === 0) return translate('routeStart');
  return translate('route', { picks: wordPicks(translate, route) });
}

export function wordPicks(translate: TranslatePlaytest, route: readonly Pick[]): string {
  return route.map((pick) => translate('pick', { text: pick.text, place: wordPlace(pick) })).join(' → ');
}

/** Returns how far a run is; `ms`: for how long it has played. */
export function wordProgress(
  translate: TranslatePlaytest,
  { routes, played, lines, findings }: PlaytestProgress,
  ms: number,
): string {
  const values = { routes: translate('routes', { count: routes }), played, lines, findings };
  return translate('progress', { ...values, seconds: Math.round(ms / 1000) });
}

function countFindings({ findings }: { readonly findings: readonly PlaytestFinding[] }): {
  errors: number;
  warnings: number;
} {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: findings.length - errors };
}

/** Returns the sentences that sum up a report. */
export function wordSummary(translate: TranslatePlaytest, report: PlaytestReport): string[] {
  // A run of the tests alone has no scenes.
  const first = report.scenes.length === 0 ? wordTests(translate, report) : wordRoutes(translate, report);
  const status = report.status === 'complete' ? [] : [translate(report.status)];
  return [first, ...status, ...wordEngine(translate, report)];
}

/** Returns a sentence if the game has another engine than the one that it was played on. */
export function wordEngine(
  translate: TranslatePlaytest,
  { engineVersion, playedEngineVersion }: { engineVersion: string; playedEngineVersion: string },
): string[] {
  if (engineVersion === playedEngineVersion) return [];
  return [translate('otherEngine', { played: playedEngineVersion, game: engineVersion })];
}

function wordRoutes(translate: TranslatePlaytest, report: PlaytestReport): string {
  const { coverage, options, endings, routes, ms } = report;
  const percent = coverage.lines === 0 ? 100 : Math.floor((coverage.played / coverage.lines) * 100);
  return translate('summary', {
    ...countFindings(report),
    routes: translate('routes', { count: routes.length }),
    played: coverage.played,
    lines: coverage.lines,
    percent,
    taken: options.taken,
    total: options.total,
    reached: endings.filter(({ route }) => route !== null).length,
    endings: endings.length,
    seconds: toSeconds(ms),
  });
}

function wordTests(translate: TranslatePlaytest, { tests, ms }: PlaytestReport): string {
  const passed = tests.filter(({ failure }) => failure === null).length;
  return translate('summaryTests', { passed, total: tests.length, seconds: toSeconds(ms) });
}

const toSeconds = (ms: number): string => (ms / 1000).toFixed(1);

/** Returns the result of a story's own test in words. */
export function wordTest(translate: TranslatePlaytest, { name, failure }: StoryTestResult): string {
  if (failure === null) return translate('test.passed', { name });
  const why = translate(`failure.${failure.reason}`, { expected: failure.expected, found: failure.found });
  return translate('test.failed', { name, why });
}
