import { toProjectPath } from '../../shared/model/project-path.ts';

/**
 * The project path of a new scene: `.txt` is added where it is missing. Throws `E_DENY_PATH` for a name that does not
 * work on every computer.
 */
export function toScenePath(name: string): string {
  const trimmed = name.trim();
  return toProjectPath(`game/scene/${/\.txt$/i.test(trimmed) ? trimmed : `${trimmed}.txt`}`);
}
