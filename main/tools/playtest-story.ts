import { z } from 'zod';
import { playtestTexts } from '../../shared/i18n/playtest.ts';
import { toolText } from '../../shared/i18n/tools.ts';
import type { PlaytestReport } from '../../shared/model/playtest/report.ts';
import { wordFinding, wordTest } from '../../shared/model/playtest/word-report.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { readStoryTests } from '../core/playtest/read-story-tests.ts';
import { runPlaytest } from '../core/playtest/run-playtest.ts';
import { readProjectIndex } from '../core/project/read-project-index.ts';
import { readTool } from './support/tool-presets.ts';

/** What a model is shown of each list; the counts are complete. */
const MAX_ROWS = 60;
const MAX_ROUTES = 200;
/** Less than the tool's timeout, so that a long run answers with what it has. */
const MAX_MS = 4 * 60_000;

const Choices = z.array(z.string());

export const playtestStory = defineTool({
  ...readTool('playtest_story', { reason: 'playsIsolated' }),
  inChat: 'played',
  capability: 'stage.story.playtest',
  version: '1.0.0',
  description:
    'Plays the routes of the whole story on the real engine, drafted changes included, and reports what players would run ' +
    'into: errors, missing files, stuck lines, dead ends, endless loops, menus without an option, scenes and endings that are never ' +
    'reached, lines that no route plays, and texts that do not fit the text box; then the tests in game/story-tests.json: ' +
    '{"tests":[{"name":"…","choose":["text of an option"],"expect":{"ending":"good.txt","scene":"lake.txt",' +
    '"variables":[{"name":"affection","is":">=","value":3}]}}]}, each part of expect optional. onlyTests: play only those ' +
    'tests. Call it before you say that a route, a choice or an ending works. Takes seconds to minutes.',
  input: z.strictObject({ onlyTests: z.boolean().default(false).describe('Play only game/story-tests.json') }),
  output: z.object({
    /** `complete`: every route that can reach more was played. */
    status: z.enum(['complete', 'budget', 'stopped']),
    routes: z.int(),
    lines: z.int(),
    played: z.int(),
    errors: z.int(),
    warnings: z.int(),
    findings: z.array(
      z.object({
        code: z.string(),
        severity: z.enum(['error', 'warning']),
        path: z.string(),
        line: z.int(),
        message: z.string(),
        choices: Choices.optional(),
      }),
    ),
    endings: z.array(z.object({ path: z.string(), line: z.int(), choices: Choices.nullable() })),
    neverPlayed: z.array(z.object({ path: z.string(), lines: z.string() })),
    tests: z.array(z.object({ name: z.string(), passed: z.boolean(), message: z.string() })),
  }),
  rateLimit: 20,
  timeout: 300_000,
  examples: [{ onlyTests: false }],
  needs: ['reader', 'clock', 'playtest'],
  summarize: ({ onlyTests }) => toolText(onlyTests ? 'playtest_story.summaryTests' : 'playtest_story.summary'),
  paths: () => [],
  async handler({ onlyTests }, { reader, clock, playtest }, { signal, locale, engine }) {
    const index = await readProjectIndex(reader, { ...(await engine?.()), signal });
    const report = await runPlaytest(playtest.engine, {
      index,
      onlyTests,
      texts: playtest.texts(),
      tests: await readStoryTests(reader),
      budget: { maxRoutes: MAX_ROUTES, maxMs: MAX_MS },
      now: clock.now,
      signal,
    });
    return toAnswer(report, playtestTexts.createTranslator(locale));
  },
});

function toAnswer(report: PlaytestReport, translate: ReturnType<typeof playtestTexts.createTranslator>) {
  const { status, findings, coverage, endings, tests } = report;
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const never = coverage.scenes.filter((scene) => scene.never.length > 0);
  return {
    status,
    routes: report.routes.length,
    lines: coverage.lines,
    played: coverage.played,
    errors,
    warnings: findings.length - errors,
    findings: findings.slice(0, MAX_ROWS).map((finding) => ({
      code: finding.code,
      severity: finding.severity,
      ...finding.place,
      message: wordFinding(translate, finding),
      ...(finding.route !== null && { choices: finding.route.map(({ text }) => text) }),
    })),
    endings: endings
      .slice(0, MAX_ROWS)
      .map(({ place, route }) => ({ ...place, choices: route?.map(({ text }) => text) ?? null })),
    neverPlayed: never.slice(0, MAX_ROWS).map(({ path, never: runs }) => ({
      path,
      lines: runs.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(', '),
    })),
    tests: tests.map((test) => ({
      name: test.name,
      passed: test.failure === null,
      message: wordTest(translate, test),
    })),
  };
}
