import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';

const execute = promisify(execFile);

/** A program of this folder that can kill itself. */
export interface KilledProgram {
  /** The bundled file, and the options to start it with. */
  script: string;
  options: { env: NodeJS.ProcessEnv };
  /** Runs it in a process of its own; returns its output, and null if it was killed. */
  run(...args: readonly string[]): Promise<string | null>;
}

/** Bundles a program below `parent`. One file starts in half the time of twenty modules, a hundred times. */
export async function buildKilledProgram(
  name: 'killed-approver' | 'killed-checkpoint' | 'killed-planner' | 'killed-provider' | 'killed-writer',
  parent: string,
): Promise<KilledProgram> {
  const folder = path.join(parent, 'script');
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: { ssr: `tests/support/attacks/killed/${name}.ts`, outDir: folder, target: 'node24' },
  });
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  const script = path.join(folder, `${name}.js`);
  const options = { env: { ...process.env, NODE_COMPILE_CACHE: path.join(parent, 'cache') } };
  return {
    ...{ script, options },
    async run(...args) {
      try {
        return (await execute(process.execPath, [script, ...args], options)).stdout;
      } catch (error) {
        if (error instanceof Error && 'signal' in error && error.signal === 'SIGKILL') return null;
        throw error;
      }
    },
  };
}

/** Makes a game with these files; null: no file. */
export async function makeGame(root: string, files: Readonly<Record<string, string | null>>): Promise<void> {
  await mkdir(path.join(root, 'game/scene'), { recursive: true });
  for (const file of Object.keys(files)) await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  for (const [file, text] of Object.entries(files)) if (text !== null) await writeFile(path.join(root, file), text);
}
