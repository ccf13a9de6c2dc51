/** A drag event of the page or of React. */
type Drag = { dataTransfer: DataTransfer };

/** The type under which the page's own drags carry the path of a game's file. */
const PATH_TYPE = 'application/x-webgal-agent-path';
/** The last path that was dragged here: a game in the stage's frame can start a drag with any text under the same type. */
let dragged: string | null = null;

/** Lets a file of the game be dragged within the page. Not as text, which the editor would insert. */
export function startFileDrag(event: Drag, path: string): void {
  dragged = path;
  event.dataTransfer.setData(PATH_TYPE, path);
  event.dataTransfer.effectAllowed = 'copy';
}

/** Returns the path that a drag within the page carries; null for any other. */
export function toDraggedPath(event: Drag): string | null {
  return event.dataTransfer.getData(PATH_TYPE) === dragged ? dragged : null;
}

/** True for a drag of a game's file or of files from outside. The contents are not readable before the drop. */
export function isFileDrag(event: Drag): boolean {
  return event.dataTransfer.types.includes(PATH_TYPE) || event.dataTransfer.types.includes('Files');
}

/** True for a drag of files from outside. A picture of the page that is dragged counts as a file, too; those of the game have a path. */
export function isOutsideDrag(event: Drag): boolean {
  const { types } = event.dataTransfer;
  return types.includes('Files') && !types.includes(PATH_TYPE);
}

/**
 * Refuses files from outside wherever nothing takes them: a browser would open the file in place of the page. Returns a function that
 * ends it.
 */
export function refuseOutsideDrops(): () => void {
  const refuse = (event: DragEvent) => {
    const { dataTransfer } = event;
    if (event.defaultPrevented || !dataTransfer || !isOutsideDrag({ dataTransfer })) return;
    event.preventDefault();
    dataTransfer.dropEffect = 'none';
  };
  for (const type of ['dragover', 'drop'] as const) window.addEventListener(type, refuse);
  return () => {
    for (const type of ['dragover', 'drop'] as const) window.removeEventListener(type, refuse);
  };
}
