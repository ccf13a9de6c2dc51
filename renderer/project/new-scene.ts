import { toProjectPath } from '../../shared/model/project-path.ts';
import { api } from '../api.ts';

/**
 * The project path of a new scene: `.txt` is added where it is missing. Throws `E_DENY_PATH` for a name that does not
 * work on every computer.
 */
export function toScenePath(name: string): string {
  const trimmed = name.trim();
  return toProjectPath(`game/scene/${/\.txt$/i.test(trimmed) ? trimmed : `${trimmed}.txt`}`);
}

/** Creates an empty scene and returns its path. Rejects with `E_CONFLICT` when there is one of that name. */
export async function createScene(name: string): Promise<string> {
  const path = toScenePath(name);
  await api.call('script.save', { path, text: '', version: null });
  return path;
}
