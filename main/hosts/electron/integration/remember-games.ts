import { app } from 'electron';
import type { IntegrationPorts } from './integration-ports.ts';

/** Adds opened games to the system's recent documents (Windows and macOS; Electron ignores it elsewhere). */
export function rememberGames({ composed, api, log }: IntegrationPorts): void {
  api.on('project.changed', ({ project }) => {
    if (!project) return;
    composed.findFolder(project.id).then(
      (folder) => app.addRecentDocument(folder),
      (error: unknown) => log.error('recent documents', error),
    );
  });
}
