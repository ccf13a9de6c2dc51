import { api } from '../api.ts';
import { toScenePath } from './to-scene-path.ts';

/** Creates an empty scene and returns its path. Rejects with `E_CONFLICT` when there is one of that name. */
export async function createScene(name: string): Promise<string> {
  const path = toScenePath(name);
  await api.call('script.save', { path, text: '', version: null });
  return path;
}
