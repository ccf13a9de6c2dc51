import { app } from 'electron';
import type { MannerPorts } from './add-manners.ts';

/** Lists opened games among the system's recent documents (Windows and macOS; elsewhere Electron ignores it). */
export function rememberGames({ composed, api, log }: MannerPorts): void {
  api.on('project.changed', ({ project }) => {
    if (!project) return;
    composed.findFolder(project.id).then(
      (folder) => app.addRecentDocument(folder),
      (error: unknown) => log.error('recent documents', error),
    );
  });
}
