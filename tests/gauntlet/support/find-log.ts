import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the path of the only session log of a game. */
export async function findLog(root: string): Promise<string> {
  const folder = join(root, '.webgal_agent');
  const names = await readdir(folder, { recursive: true });
  const logs = names.filter((name) => name.endsWith('.jsonl') && name.includes('session'));
  if (logs.length !== 1) throw new Error(names.join('\n'));
  return join(folder, logs[0] ?? '');
}
