import { api } from '../../api.ts';
import { toScenePath } from './to-scene-path.ts';

/** Creates an empty scene and returns its path. Rejects with `E_CONFLICT` when a scene with that name exists. */
export async function createScene(name: string): Promise<string> {
  const path = toScenePath(name);
  await api.call('script.save', { path, text: '', version: null });
  return path;
}
