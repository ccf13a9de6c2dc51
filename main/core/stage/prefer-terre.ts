import { AppError } from '../../../shared/errors.ts';
import { SCENE_FOLDER } from '../../../shared/script/project-index/project-facts.ts';
import type { ToolStage } from '../capability/define-tool.ts';
import type { Terre } from '../ports/stage/terre.ts';

/** Terre, and whether the user prefers its preview. */
export interface PreferredTerre {
  terre: Terre;
  isPreferred(): Promise<boolean>;
}

/**
 * Where the assistant's previews go: to Terre first if the user prefers it, else and if that fails to the app's own stage. `findTerre`
 * returns null where only the stage is to be asked.
 */
export function preferTerre(own: ToolStage['preview'], findTerre: () => PreferredTerre | null): ToolStage['preview'] {
  return async (scenePath, signal) => {
    const terre = findTerre();
    if (!terre || !(await terre.isPreferred())) return own(scenePath, signal);
    const path = scenePath ?? `${SCENE_FOLDER}start.txt`;
    // Terre reads the disk: a proposal is not there. The caller's checks of the path are those of the app's stage.
    if (!path.startsWith(SCENE_FOLDER)) return own(scenePath, signal);
    try {
      return await terre.terre.show(path.slice(SCENE_FOLDER.length), 1, signal);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'E_PREVIEW_FAIL') throw error;
      const played = await own(scenePath, signal);
      return { ...played, logs: [`${error.message} The app's own stage played it.`, ...played.logs] };
    }
  };
}
