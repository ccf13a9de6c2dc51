import { AppError } from '../../../shared/errors.ts';
import { SCENE_FOLDER } from '../../../shared/script/project-index/project-facts.ts';
import type { ToolStage } from '../capability/define-tool.ts';

/** Shows a scene, given relative to the scene folder, in an external program. */
export type ShowScene = (scene: string, signal: AbortSignal) => Promise<{ url: string; logs: string[] }>;

/** Creates a stage that plays in another program, which does not report what it shows. */
export function createExternalStage(show: ShowScene): ToolStage {
  return {
    async preview(scenePath = `${SCENE_FOLDER}start.txt`, signal) {
      if (!scenePath.startsWith(SCENE_FOLDER)) {
        throw new AppError('E_BAD_ARGS', `"${scenePath}" is not a scene.`, {
          hint: 'Name a file in game/scene, such as game/scene/start.txt.',
          details: { path: scenePath },
        });
      }
      return show(scenePath.slice(SCENE_FOLDER.length), signal);
    },
  };
}
