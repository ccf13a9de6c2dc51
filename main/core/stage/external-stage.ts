import { AppError } from '../../../shared/errors.ts';
import { SCENE_FOLDER } from '../../../shared/script/index/project-facts.ts';
import type { ToolStage } from '../capability/define-tool.ts';

/** Asks a program outside to show a scene, given relative to the folder of scenes. */
export type ShowScene = (scene: string, signal: AbortSignal) => Promise<{ url: string; logs: string[] }>;

/** A stage that another program plays: it shows what it can, and does not report back what became of it. */
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
