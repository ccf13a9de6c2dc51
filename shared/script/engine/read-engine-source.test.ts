import { describe, expect, test } from 'vitest';
import { ENGINE_COMMANDS } from '../../../tests/support/engine-commands.ts';
import { readEngineSource } from './read-engine-source.ts';

/** With one that no published engine has. */
const NAMES = [...ENGINE_COMMANDS, 'hotspot'];
const ARGUMENTS = Array.from({ length: 20 }, (_, at) => `argument${at}`);
const manifest = '{\n  "name": "webgal-engine",\n  "version": "4.6.4"\n}';
const reads = ARGUMENTS.map((name) => `const a = getStringArgByKey(sentence, '${name}') ?? '';`).join('\n');
const table = (names: readonly string[]) =>
  `export const SCRIPT_TAG_MAP = defineScripts({\n${names.map((name) => `  ${name}: ScriptConfig(commandType.${name}, ${name}, { next: true }),`).join('\n')}\n  // old: ScriptConfig(commandType.old, old),\n});`;

describe('readEngineSource', () => {
  test('reads the table of commands, the arguments, the effects and the version', () => {
    const effect = "registerPerform('fireflies', { fg: () => fireflies(300) });";
    const more = "if (e.key === 'left') {}\nswitch (e.key) {\n  case 'vocals':\n    break;\n}\nfunction f() {}";
    expect(readEngineSource({ manifest, files: [effect, table(NAMES), reads, more] })).toEqual({
      version: '4.6.4',
      commands: NAMES,
      arguments: [...ARGUMENTS, 'left', 'vocals'],
      effects: ['fireflies'],
    });
  });

  test('reads the lists and the cases of earlier versions', () => {
    const list = NAMES.map((name) => `{ scriptString: '${name}', scriptType: commandType.${name} },`).join('\n');
    const cases = NAMES.map((name) => `case '${name}':\n      return commandType.${name};`).join('\n');
    expect(readEngineSource({ manifest, files: [list] })?.commands).toEqual(NAMES);
    expect(readEngineSource({ manifest, files: [cases] })?.commands).toEqual(NAMES);
  });

  test('a case is an argument only where keys are told apart', () => {
    const other = "switch (animation) {\n  case 'fadeIn':\n    break;\n}";
    const found = readEngineSource({ manifest, files: [table(NAMES), reads, other] });
    expect(found?.arguments).toEqual(ARGUMENTS);
  });

  test('is null for other source, and knows no arguments where they are read in another way', () => {
    expect(readEngineSource({ manifest, files: [table(['changeBg', 'say'])] })).toBeNull();
    expect(readEngineSource({ manifest, files: [table(NAMES.filter((name) => name !== 'changeBg'))] })).toBeNull();
    expect(readEngineSource({ manifest: '', files: [table(NAMES)] })).toMatchObject({ version: null, arguments: [] });
  });

  test.each([
    'ArgByKey('.repeat(200_000),
    `ArgByKey(a,${' '.repeat(500_000)}`,
    "case 'a':".repeat(200_000),
    `switch (${'a.'.repeat(300_000)}`,
    `"version"${' '.repeat(500_000)}`,
    "'x': ScriptConfig(".repeat(100_000),
  ])('takes linear time for hostile text', (text) => {
    expect(readEngineSource({ manifest: text, files: [text] })).toBeNull();
  });
});
