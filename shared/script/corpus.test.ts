import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BESIDE, titled } from '../../tests/support/beside-repository.ts';
import { diagnoseProject } from './diagnostics/diagnose.ts';
import { toParserSentence } from './language-features/parser-sentence.ts';
import { createProjectIndex } from './project-index/project-facts.ts';
import { scanScene } from './syntax/scan.ts';

interface Vector {
  input: string;
  v461: Record<string, unknown>;
  v4518?: Record<string, unknown>;
}

describe(titled('lines recorded from the engine’s parsers', 'vectors'), () => {
  const file = `${BESIDE}vectors/webgal-parser-lines.json`;
  const vectors = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { vectors: Vector[] }).vectors
        // The engine does not receive a byte order mark, because the browser removes it; our scanner removes it, too.
        .filter((vector) => !vector.input.startsWith('\ufeff'))
    : [];

  test.skipIf(vectors.length === 0)('are read the same as by both versions', () => {
    const ours = (input: string, version: string) => {
      const [statement] = scanScene(input);
      if (statement === undefined) throw new Error('a line always makes a statement');
      const { assets, command, ...rest } = toParserSentence(statement, version);
      // The recordings went through JSON, which has no Infinity.
      return JSON.parse(
        JSON.stringify({
          ...rest,
          command: command === 'playVideo' ? 'video' : command,
          assets: assets.map((asset) => ({ url: asset.name, type: asset.type })),
        }),
      );
    };
    expect(vectors.map((vector) => [vector.input, ours(vector.input, '4.6.1'), ours(vector.input, '4.5.18')])).toEqual(
      vectors.map((vector) => [vector.input, vector.v461, vector.v4518 ?? vector.v461]),
    );
  });
});

/** The expected findings in the games, each with the reason why it is a real mistake. */
const REAL_MISTAKES: Record<string, { version: string; found: Record<string, string> }> = {
  'engine-demo': {
    version: '4.6.1',
    found: {
      'demo_en.txt:18 unknown-animation': 'l2c is in no table and no file: nothing moves',
      'demo_ja.txt:19 unknown-animation': 'l2c is in no table and no file: nothing moves',
      'demo_changeConfig.txt:10 calculation-before-set':
        'GameNum_Double has no value yet: the displayed text is “GameNum_Double5”',
      'demo_test_variable_flow_control.txt:1 dash-in-text':
        'the text is cut at “ -when。”, which the player does not see',
    },
  },
  'terre-template': {
    version: '4.5.18',
    found: {
      'config.txt:2 config-game-key': 'the key is empty until the editor sets it: saves are shared',
    },
  },
  'vscode-example': {
    version: '4.5.18',
    found: {
      'demo_changeConfig.txt:10 calculation-before-set': 'as above',
      'demo_en.txt:18 unknown-animation': 'as above',
      'demo_ja.txt:19 unknown-animation': 'as above',
    },
  },
  'galgame-ayufe': {
    version: '4.5.18',
    found: {
      'start.txt:46 no-ending': 'the game hangs on its last line',
      'start.txt:25 old-commands': 'commands of an engine before 4: the player reads them as dialogue',
    },
  },
};

describe(titled('published games have no false positives', 'corpus'), () => {
  test.skipIf(!existsSync(`${BESIDE}corpus`)).each(Object.keys(REAL_MISTAKES))('%s', (name) => {
    const { version, found } = REAL_MISTAKES[name] ?? { version: '', found: {} };
    const root = `${BESIDE}corpus/${name}/`;
    const files = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/').replaceAll('//', '/').slice(root.length),
      );
    const index = createProjectIndex({ engineVersion: version });
    index.setFiles(files);
    for (const file of files) if (/\.(txt|json)$/.test(file)) index.setText(file, readFileSync(root + file, 'utf8'));
    const serious = diagnoseProject(index, { locale: 'zh-CN' })
      .filter((diagnostic) => diagnostic.severity !== 'info')
      .map((diagnostic) => `${diagnostic.path.split('/').pop()}:${diagnostic.line} ${diagnostic.code}`);
    expect([...new Set(serious)].sort()).toEqual(Object.keys(found).sort());
  });
});
