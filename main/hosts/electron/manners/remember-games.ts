import { app } from 'electron';
import type { MannerPorts } from './manner-ports.ts';

/** Adds opened games to the system's recent documents (Windows and macOS; Electron ignores it elsewhere). */
export function rememberGames({ composed, api, log }: MannerPorts): void {
  api.on('project.changed', ({ project }) => {
    if (!project) return;
    composed.findFolder(project.id).then(
      (folder) => app.addRecentDocument(folder),
      (error: unknown) => log.error('recent documents', error),
    );
  });
}
