import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createProjectIndex } from '../project-index/project-facts.ts';
import { CHECK_SETTINGS_PATH, readCheckSettings } from './check-settings.ts';
import { diagnoseProject, diagnoseScene } from './diagnose.ts';

const START = 'game/scene/start.txt';

function diagnoseWith(settings: string) {
  const index = createProjectIndex();
  index.setScene(START, 'label:unused;\n:hi;\nend;');
  index.setText(CHECK_SETTINGS_PATH, settings);
  return diagnoseProject(index, { locale: 'en' });
}

describe('readCheckSettings', () => {
  test('applies severities and removes them with the file', () => {
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

  test('reports an unknown code with its position and a suggestion, and keeps the other settings', () => {
    const found = diagnoseWith(
      '{\n  "severities": {\n    "unused-lable": "off",\n    "unused-label": "warning"\n  }\n}',
    );
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
  ])('reports an unreadable file, which has no other effect: %#', (settings) => {
    expect(diagnoseWith(settings).map(({ path, severity, code }) => [path, severity, code])).toEqual(
      [
        [START, 'info', 'unused-label'],
        [CHECK_SETTINGS_PATH, 'warning', 'check-settings'],
      ].sort(),
    );
  });

  test('rejects codes named like properties of Object, and invalid values', () => {
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

  test('never throws on arbitrary text', () => {
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
