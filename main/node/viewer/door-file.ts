import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../files/durable-file.ts';

/**
 * The address of a door. Beside its file and not beside its server: the agent of another program starts faster without
 * `node:http`, which loads the client for requests with it.
 */
export const VIEWER_PATH = '/api/viewer/action';

/** Where an app accepts calls for the window of a game, and the token that it requires. */
const DoorFile = z.object({
  version: z.literal(1),
  /** The real path of the game's folder. */
  game: z.string(),
  port: z.int().min(1).max(65_535),
  token: z.string().min(40).max(200),
  process: z.int().min(1),
});
export type DoorFile = z.infer<typeof DoorFile>;

/** More than any user has open; files of ended apps are removed when the next one opens a game. */
const MAX_FILES = 50;
const MAX_BYTES = 10_000;

const toFolder = (data: string) => path.join(data, 'viewer');

/** Writes the file of a door; only the user can read it. Returns its path. */
export async function writeDoorFile(data: string, door: DoorFile): Promise<string> {
  const folder = toFolder(data);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const { file, door: other } of readAll(folder))
    if (!other || !isRunning(other.process)) rmSync(file, { force: true });
  const file = path.join(folder, `${door.process}-${door.port}.json`);
  await writeDurably(file, JSON.stringify(door), 0o600);
  return file;
}

/** Returns the door of a running app that has the game open, the newest first. Blocking: a few small files. */
export function findDoor(data: string, game: string): DoorFile | null {
  const found = readAll(toFolder(data)).flatMap(({ door, at }) =>
    door !== null && door.game === game && isRunning(door.process) ? [{ door, at }] : [],
  );
  return found.sort((one, other) => other.at - one.at)[0]?.door ?? null;
}

function readAll(folder: string): { file: string; door: DoorFile | null; at: number }[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    // No app has opened a game yet.
    return [];
  }
  return names
    .filter((name) => /^\d+-\d+\.json$/.test(name))
    .slice(0, MAX_FILES)
    .map((name) => readOne(path.join(folder, name)));
}

function readOne(file: string): { file: string; door: DoorFile | null; at: number } {
  try {
    const { size, mtimeMs } = statSync(file);
    const text = size <= MAX_BYTES ? readFileSync(file, 'utf8') : '';
    return { file, door: DoorFile.safeParse(JSON.parse(text)).data ?? null, at: mtimeMs };
  } catch {
    // Removed meanwhile, or damaged: then it opens nothing.
    return { file, door: null, at: 0 };
  }
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
