import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readProjectIndex } from '../../../main/core/project/read-project-index.ts';
import { diagnoseScene } from '../../../shared/script/diagnostics/diagnose.ts';
import { createProjectFolder } from '../../support/games/project-folder.ts';
import { type Comparison, compare, time } from '../compare.ts';
import { BUILT_CLI, connectProgram } from './built-program.ts';

const LINES = 100_000;
const SCENE = 'game/scene/long.txt';

/** Measures `validate_script` of a very long scene over MCP, against a direct call of the language library. */
export async function benchMcpValidate(): Promise<Comparison> {
  const text = Array.from({ length: LINES }, (_, line) => `雪乃:第 ${line} 句，海边的风很大。;\n`).join('');
  const game = await createProjectFolder({
    [SCENE]: `${text}end;\n`,
    'game/config.txt': 'Game_name:bench;\nGame_key:bench;\n',
  });
  const home = await mkdtemp(path.join(tmpdir(), 'bench-home-'));
  const { client } = await connectProgram([BUILT_CLI, 'mcp', '--project', game.root], home);
  const { signal } = new AbortController();
  try {
    return await compare({
      name: `validate_script of ${LINES} lines over MCP`,
      goal: { ratio: 1.3 },
      against: 'the library',
      rounds: 10,
      ours: () => time(() => client.callTool({ name: 'validate_script', arguments: { path: SCENE } })),
      theirs: () =>
        time(async () => {
          const { text: scene } = await game.reader.read(SCENE);
          const index = await readProjectIndex(game.reader, { signal });
          diagnoseScene(index, SCENE, { locale: 'en', text: scene });
        }),
    });
  } finally {
    await client.close();
    await game.dispose();
    await rm(home, { recursive: true, force: true });
  }
}
