import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../files/durable-file.ts';

/** The file in the app's data folder with the address and the token; only this user can read it. */
export const API_FILE = 'api.json';
const MAX_CHARACTERS = 10_000;

/** What the file says. The address is one of this machine, so that a file that was tampered with sends the token nowhere else. */
const ApiFile = z.object({
  url: z.string().regex(/^http:\/\/127\.0\.0\.1:[1-9]\d{0,4}$/),
  token: z.string().regex(/^[\w-]{40,200}$/),
  /** The process that listens. */
  process: z.int().min(1),
});
export type ApiFile = z.infer<typeof ApiFile>;

/** Writes the file into the app's data folder. Returns what removes it, unless another window wrote its own since. */
export async function writeApiFile(folder: string, content: ApiFile): Promise<() => Promise<void>> {
  const file = path.join(folder, API_FILE);
  const text = `${JSON.stringify(content)}\n`;
  await mkdir(folder, { recursive: true });
  await writeDurably(file, text, 0o600);
  return async () => {
    if ((await readFile(file, 'utf8').catch(() => '')) === text) await rm(file, { force: true });
  };
}

/** Returns what the file says; null if there is none, `damaged` if it cannot be understood. */
export async function readApiFile(folder: string): Promise<ApiFile | 'damaged' | null> {
  let text: string;
  try {
    text = await readFile(path.join(folder, API_FILE), 'utf8');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : 'damaged';
  }
  try {
    return text.length <= MAX_CHARACTERS ? ApiFile.parse(JSON.parse(text)) : 'damaged';
  } catch {
    return 'damaged';
  }
}
