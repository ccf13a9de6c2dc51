import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../types.ts';
import type { ToldFacts } from './mock-gateway.ts';

/** A recorded call. Without `response` and `error` it only has to succeed with what `returns` describes. */
export interface Recording {
  capability: string;
  parameters: JsonObject;
  /** The version and the caller that the provider is told; default: the version that it offers, and the assistant. */
  told?: Partial<ToldFacts>;
  response?: JsonObject;
  /** The code of the failure that is expected. */
  error?: string;
}

export interface ReplayReport {
  passed: number;
  failed: { call: number; capability: string; problem: string }[];
}

interface ReplayOptions {
  /** A module that exports `provider`. */
  file: string;
  calls: readonly Recording[];
  /** Folders that the provider may read besides that of its file. */
  reads?: readonly string[];
  /** Milliseconds for all calls; default 30 seconds. */
  timeoutMs?: number;
}

const MAX_OUTPUT_CHARACTERS = 16 * 1024 * 1024;

/**
 * Runs a provider against recorded calls in a process of its own that can write no file, start no program and load no native code
 * (Node's permission model), reaches no network, and has no variables of the environment.
 */
export async function replay({ file, calls, reads = [], timeoutMs = 30_000 }: ReplayOptions): Promise<ReplayReport> {
  const runner = fileURLToPath(new URL(`./replay-process${path.extname(import.meta.url)}`, import.meta.url));
  const folders = [path.dirname(path.resolve(file)), toPackage(runner), ...toModules(runner), ...reads];
  const child = spawn(
    process.execPath,
    ['--permission', ...folders.map((folder) => `--allow-fs-read=${folder}`), runner, path.resolve(file)],
    { env: {}, stdio: ['pipe', 'pipe', 'pipe'] },
  );
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  let output = '';
  let problem = '';
  child.stdout.on('data', (data) => {
    output += String(data);
    if (output.length > MAX_OUTPUT_CHARACTERS) child.kill('SIGKILL');
  });
  child.stderr.on('data', (data) => {
    problem = (problem + String(data)).slice(-2000);
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(calls));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  const last = output.trimEnd().split('\n').at(-1) ?? '';
  if (code === 0) return JSON.parse(last) as ReplayReport;
  throw new Error(code === null ? 'The provider did not end in time.' : `The provider ended with ${code}: ${problem}`);
}

/** The folder of this package. */
function toPackage(file: string): string {
  return path.resolve(path.dirname(file), '..', '..');
}

/** The folders of packages above a file. */
function toModules(file: string): string[] {
  const parts = path.dirname(file).split(path.sep);
  const folders = parts.map((_, count) => [...parts.slice(0, count + 1), 'node_modules'].join(path.sep));
  // Package managers link folders to a store.
  return folders.filter((folder) => existsSync(folder)).flatMap((folder) => [folder, realpathSync(folder)]);
}
