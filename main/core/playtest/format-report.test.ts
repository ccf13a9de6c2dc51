import { expect, it } from 'vitest';
import { playtestTexts } from '../../../shared/i18n/playtest.ts';
import type { PlaytestFinding, PlaytestReport } from '../../../shared/model/playtest/report.ts';
import { toPlaytestJunit, toPlaytestText } from './format-report.ts';

const translate = playtestTexts.createTranslator('en');
const FORGED = 'x\u001b[2K\rgame/scene/start.txt:1: error: forged\nPlayed 9 routes';
const place = { path: 'game/scene/start.txt', line: 2 };
const route = [{ ...place, option: 0, text: FORGED }];

function createReport(more: Partial<PlaytestReport> = {}): PlaytestReport {
  return {
    ...{
      status: 'complete',
      engineVersion: '4.5.18',
      playedEngineVersion: '4.5.18',
      findings: [],
      routes: [],
      endings: [],
      scenes: [],
      tests: [],
    },
    ...{ coverage: { lines: 0, played: 0, scenes: [] }, options: { total: 0, taken: 0 }, steps: 0, ms: 0 },
    ...more,
  };
}

it('shows what a game wrote within its own row, without commands to the terminal', () => {
  const finding: PlaytestFinding = { code: 'exception', severity: 'error', place, subject: FORGED, route };
  const never = [{ path: `game/scene/${FORGED}.txt`, lines: 1, played: 0, never: [{ first: 1, last: 1 }] }];
  const report = createReport({
    findings: [finding],
    endings: [{ place, route }],
    coverage: { lines: 1, played: 0, scenes: never },
    tests: [{ name: FORGED, place, picks: [], failure: { reason: 'variable', expected: FORGED, found: FORGED } }],
  });
  const text = toPlaytestText(report, translate);
  // One row for each, the summary, and the line feed at its end.
  expect([text.split('\n').length, text.match(/(?!\n)\p{Cc}/gu)]).toEqual([6, null]);
  expect(text).toContain('the engine failed here: x\\u{1b}[2K\\u{d}game/scene/start.txt:1: error: forged\\u{a}Played');
  const junit = toPlaytestJunit(report, translate);
  expect(junit.split('\n').filter((line) => /^\S*(game\/|Played)/.test(line))).toEqual([]);
  expect(junit).not.toContain('\r');
});

it('says which engine played a game that has another one', () => {
  const other = toPlaytestText(createReport({ engineVersion: '4.6.1' }), translate);
  expect(other).toContain('\nPlayed on engine 4.5.18. The game has engine 4.6.1, which may behave differently.\n');
  expect(toPlaytestText(createReport(), translate)).not.toContain('Played on');
});

it.each(['zh-CN', 'en', 'ja'] as const)('leaves ordinary words as they are: %s', (locale) => {
  const own = playtestTexts.createTranslator(locale);
  const words = '“Go” — ¿qué? Ёлка, 「行こう」……雨停了👍🏽';
  const finding: PlaytestFinding = { code: 'exception', severity: 'error', place, subject: words, route: [] };
  const text = toPlaytestText(createReport({ findings: [finding] }), own);
  expect(text).toContain(words);
  expect(text).not.toContain('\\u{');
});
