import type { DragEvent } from 'react';

/** The type under which the page's own drags carry the path of a game's file. */
const PATH_TYPE = 'application/x-webgal-agent-path';

/** Lets a file of the game be dragged within the page. Not as text, which the editor would insert. */
export function startFileDrag(event: DragEvent, path: string): void {
  event.dataTransfer.setData(PATH_TYPE, path);
  event.dataTransfer.effectAllowed = 'copy';
}

/** Returns the path that a drag within the page carries; null for any other. */
export function toDraggedPath(event: DragEvent): string | null {
  return event.dataTransfer.getData(PATH_TYPE) || null;
}

/** True for a drag of a game's file or of files from outside. The contents are not readable before the drop. */
export function isFileDrag(event: DragEvent): boolean {
  return event.dataTransfer.types.includes(PATH_TYPE) || event.dataTransfer.types.includes('Files');
}
