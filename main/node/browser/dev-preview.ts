import { AppError } from '../../../shared/errors.ts';
import type { Commands } from '../../core/ports/commands.ts';

/**
 * Creates a preview that shows a scene at the address where the game's own `dev` script serves. It never starts the
 * script: that is a command with its own approval. Throws `E_PREVIEW_FAIL` while the script does not run.
 */
export function createDevPreview(commands: Pick<Commands, 'tasks'>) {
  return async (scene: string): Promise<{ url: string; logs: string[] }> => {
    const task = commands.tasks().find(({ name, running, url }) => name === 'dev' && running && url !== null);
    if (!task?.url) {
      throw new AppError('E_PREVIEW_FAIL', "The game's dev script is not running, so there is no preview.", {
        hint: 'Start it with execute_command (scriptName dev), or use the preview inside (--preview embedded).',
      });
    }
    const url = new URL(task.url);
    // The tool contract accepts these two names of this machine.
    if (url.hostname === '[::1]') url.hostname = 'localhost';
    url.hash = `scene=${encodeURIComponent(scene)}`;
    return { url: url.href, logs: task.logs.slice(-20) };
  };
}
