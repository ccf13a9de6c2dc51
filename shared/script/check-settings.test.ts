import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHECK_SETTINGS_PATH, readCheckSettings } from './check-settings.ts';
import { diagnoseProject, diagnoseScene } from './diagnose.ts';
import { createProjectIndex } from './project-facts.ts';

const START = 'game/scene/start.txt';

function say(settings: string) {
  const index = createProjectIndex();
  index.setScene(START, 'label:unused;\n:hi;\nend;');
  index.setText(CHECK_SETTINGS_PATH, settings);
  return diagnoseProject(index, { locale: 'en' });
}

describe('what a project wants the checker to be strict about', () => {
  test('severities are taken, and forgotten with the file', () => {
    const index = createProjectIndex();
    index.setScene(START, 'label:unused;\n:hi;\nend;');
    const severities = () =>
      diagnoseScene(index, START, { locale: 'en' }).map(({ code, severity }) => [code, severity]);
    expect(severities()).toEqual([['unused-label', 'info']]);
    index.setText(CHECK_SETTINGS_PATH, '\ufeff{"severities": {"unused-label": "error"}}');
    expect(severities()).toEqual([['unused-label', 'error']]);
    index.setText(CHECK_SETTINGS_PATH, '{"severities": {"unused-label": "off"}}');
    expect(severities()).toEqual([]);
    index.removeText(CHECK_SETTINGS_PATH);
    expect(severities()).toEqual([['unused-label', 'info']]);
  });

  test('a code that is not there is named with its place and what was meant; the rest of the file counts', () => {
    const found = say('{\n  "severities": {\n    "unused-lable": "off",\n    "unused-label": "warning"\n  }\n}');
    expect(
      found.map(({ path, line, column, endColumn, severity, code }) => [path, line, column, endColumn, severity, code]),
    ).toEqual(
      [
        [START, 1, 7, 13, 'warning', 'unused-label'],
        [CHECK_SETTINGS_PATH, 3, 6, 18, 'warning', 'check-settings-code'],
      ].sort(),
    );
    const unknown = found.find(({ code }) => code === 'check-settings-code');
    expect([unknown?.message.includes('unused-label'), unknown?.fixes?.[0]?.edits]).toEqual([
      true,
      [{ line: 3, column: 6, endLine: 3, endColumn: 18, newText: 'unused-label' }],
    ]);
  });

  test.each([
    '',
    '{',
    '[]',
    'null',
    '{"severities": []}',
    '{"severity": {}}',
    '['.repeat(100_000),
    `"${'x'.repeat(300_000)}"`,
  ])('a file that cannot be read says so and changes nothing: %#', (settings) => {
    expect(say(settings).map(({ path, severity, code }) => [path, severity, code])).toEqual(
      [
        [START, 'info', 'unused-label'],
        [CHECK_SETTINGS_PATH, 'warning', 'check-settings'],
      ].sort(),
    );
  });

  test('names that are no codes of ours but of every object, and values that are none', () => {
    const text = '{"severities": {"__proto__": "off", "constructor": "off", "toString": "off", "unused-label": 3}}';
    const { severities, findings } = readCheckSettings(text);
    expect([[...severities], findings.map(({ finding }) => [finding.code, finding.values?.name])]).toEqual([
      [],
      [
        ['check-settings-code', '__proto__'],
        ['check-settings-code', 'constructor'],
        ['check-settings-code', 'toString'],
        ['check-settings-value', 'unused-label'],
      ],
    ]);
  });

  test('bears anything', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((value) => `{"severities":${value}}`),
        ),
        (text) => {
          expect(readCheckSettings(text).severities.size).toBe(0);
        },
      ),
      { numRuns: 300 },
    );
  });
});
