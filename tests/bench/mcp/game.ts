import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createProjectFolder } from '../../support/games/project-folder.ts';
import { compare, time, toLine, toVerdict } from '../compare.ts';
import { BUILT_CLI, type Connected, connectProgram } from './built-program.ts';

const SCENES = 5000;
const LINES = 20;
const SNAPSHOTS = 5000;
const FEW_SNAPSHOTS = 50;
/** For what a start differs from another one. */
const AS_WITH_FEW = 1.05;
const SCENE = 'game/scene/chapter7/scene7.txt';
const PLAIN = path.join(import.meta.dirname, 'plain-mcp-server.ts');
const AGAINST = 'a plain server over the same library';
const SETTLE_MS = 500;

/** Measures the built program in a game of 5,000 scenes, against a plain server without caches and with fewer checks. */
export async function* benchMcpProject(): AsyncGenerator<string> {
  const home = await mkdtemp(path.join(tmpdir(), 'bench-home-'));
  const game = await createProjectFolder(toFiles());
  const twin = await createProjectFolder(toFiles());
  const connect = (args: string[]) => connectProgram(args, home);
  const servers = { ours: [BUILT_CLI, 'mcp', '--project', game.root], theirs: [PLAIN, game.root] };
  const start = async (args: string[]): Promise<number> => {
    let one: Connected | undefined;
    const spent = await time(async () => {
      one = await connect(args);
      await one.client.listTools();
    });
    await one?.client.close();
    return spent;
  };
  const starts = { ours: () => start(servers.ours), theirs: () => start(servers.theirs), rounds: 7 };
  const name = `MCP in a game of ${SCENES} scenes`;
  let open: { ours: Connected; theirs: Connected } | undefined;
  try {
    yield toLine(
      await compare({ name: `${name}, start to tools/list`, goal: { ratio: 1 }, against: AGAINST, ...starts }),
    );
    open = { ours: await connect(servers.ours), theirs: await connect(servers.theirs) };
    for (const { client } of Object.values(open)) await client.listTools();
    yield await toMemoryLine(`${name}, memory after the start`, open);
    for (const [tool, input] of Object.entries(CALLS)) {
      const calls = {
        ours: () => time(() => open?.ours.client.callTool({ name: tool, arguments: input }) ?? Promise.resolve()),
        theirs: () => time(() => open?.theirs.client.callTool({ name: tool, arguments: input }) ?? Promise.resolve()),
      };
      const row = { name: `${name}, ${tool}`, goal: { ratio: 1 }, against: AGAINST, ...calls };
      yield toLine(await compare({ ...row, state: 'cold', rounds: 1 }));
      yield toLine(await compare({ ...row, rounds: 20 }));
    }
    yield await toMemoryLine(`${name}, memory after the calls`, open);
    await keepSnapshots(game.root, SNAPSHOTS);
    await keepSnapshots(twin.root, FEW_SNAPSHOTS);
    yield toLine(
      await compare({
        name: `MCP start with ${SNAPSHOTS} snapshots`,
        goal: { ratio: AS_WITH_FEW },
        against: `the same with ${FEW_SNAPSHOTS}`,
        rounds: 15,
        ours: starts.ours,
        theirs: () => start([BUILT_CLI, 'mcp', '--project', twin.root]),
      }),
    );
  } finally {
    await open?.ours.client.close();
    await open?.theirs.client.close();
    await game.dispose();
    await twin.dispose();
    await rm(home, { recursive: true, force: true });
  }
}

/** The measured calls. The first one runs before the program has read the game. */
const CALLS = {
  validate_script: { path: SCENE },
  list_project_resources: {},
  list_files: { path: 'game/scene', globs: ['**/*.txt'] },
};

function toFiles(): Record<string, string> {
  const files: Record<string, string> = { 'game/config.txt': 'Game_name:bench;\nGame_key:bench;\n' };
  for (let index = 0; index < SCENES; index += 1) {
    const lines = Array.from({ length: LINES }, (_, line) => `雪乃:第 ${index} 幕第 ${line} 句，海边的风很大。;`);
    lines[3] = `changeBg:bg${index % 200}.webp;`;
    lines[LINES - 1] = index + 1 < SCENES ? `changeScene:chapter${(index + 1) % 50}/scene${index + 1}.txt;` : 'end;';
    files[index === 0 ? 'game/scene/start.txt' : `game/scene/chapter${index % 50}/scene${index}.txt`] =
      lines.join('\n');
  }
  for (let index = 0; index < 200; index += 1) files[`game/background/bg${index}.webp`] = '';
  return files;
}

async function toMemoryLine(name: string, { ours, theirs }: { ours: Connected; theirs: Connected }): Promise<string> {
  if (process.platform !== 'linux') return `${name}: left out, it is read from /proc`;
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const [mine, other] = [await readMegabytes(ours.pid), await readMegabytes(theirs.pid)];
  const numbers = `${mine.toFixed(0)} MiB against ${other.toFixed(0)} MiB`;
  return `${name}: ${(mine / other).toFixed(2)} × ${AGAINST} (${numbers}); ${toVerdict({ ratio: 1 }, { ours: mine, theirs: other })}`;
}

async function readMegabytes(pid: number | null): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Writes snapshots like an earlier run. */
async function keepSnapshots(root: string, count: number): Promise<void> {
  const folder = path.join(root, '.webgal_agent', 'snapshots');
  await mkdir(folder, { recursive: true });
  for (let index = 0; index < count; index += 1) {
    const id = `snap_20260101T000000_${index.toString(16).padStart(8, '0')}`;
    const meta = { id, path: SCENE, timestamp: Date.UTC(2026, 0, 1), contentHash: '2d711642', existed: true };
    const label = { origin: 'agent', group: 'turn', title: 'An earlier turn', after: null, bytes: 1 };
    await writeFile(path.join(folder, `${id}.txt`), 'x');
    await writeFile(path.join(folder, `${id}.meta.json`), JSON.stringify({ ...meta, ...label }));
  }
}
