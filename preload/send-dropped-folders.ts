import { ipcRenderer, webUtils } from 'electron';
import { DROP_CHANNEL } from '../shared/wire.ts';

/** The used part of `DragEvent`; the preload is type-checked without the browser's types. */
interface DragLike {
  type: string;
  dataTransfer: {
    types: readonly string[];
    items: ArrayLike<{ type: string }>;
    files: ArrayLike<File>;
    dropEffect: string;
  } | null;
  target: unknown;
  relatedTarget: unknown;
  preventDefault(): void;
  stopPropagation(): void;
}
/** An element, or another target, which has no `closest`. */
interface TakerLike {
  closest?(selector: string): { dataset: { takes: string } } | null;
}
declare const addEventListener: (type: string, listener: (event: DragLike) => void, isCapturing: boolean) => void;
declare const document: { documentElement: { toggleAttribute(name: string, isSet: boolean): void } };

/**
 * Sends the path of a folder dropped on the window to the app. Only the preload can read the path; the page must not have
 * it and receives no drop events of files, except of pictures and sounds over an element that takes them. While files are dragged over
 * the page, its root element has `data-dropping`, which keeps the stage's frame from receiving the drop.
 */
export function sendDroppedFolders(): void {
  for (const type of ['dragenter', 'dragover', 'dragleave', 'drop']) addEventListener(type, take, true);
}

function take(event: DragLike): void {
  const { type, dataTransfer } = event;
  // Text dragged within the page is handled by the page.
  if (!dataTransfer?.types.includes('Files')) return;
  if (isForPage(event, dataTransfer.items)) {
    document.documentElement.toggleAttribute('data-dropping', false);
    return;
  }
  event.preventDefault();
  event.stopPropagation();
  dataTransfer.dropEffect = 'copy';
  const isOver = type === 'dragenter' || type === 'dragover' || (type === 'dragleave' && event.relatedTarget !== null);
  document.documentElement.toggleAttribute('data-dropping', isOver);
  const file = dataTransfer.files[0];
  if (type === 'drop') ipcRenderer.send(DROP_CHANNEL, file ? webUtils.getPathForFile(file) : '');
}

/**
 * True for files over an element whose `data-takes` names the kind of one of them, as `image audio` does; the page tells of the others.
 * It reads their bytes; a file has no path there.
 */
function isForPage({ target }: DragLike, items: ArrayLike<{ type: string }>): boolean {
  const taker = (target as TakerLike | null)?.closest?.('[data-takes]');
  const kinds = taker?.dataset.takes.split(' ');
  return Array.from(items).some(({ type }) => kinds?.includes(type.split('/')[0] ?? ''));
}
