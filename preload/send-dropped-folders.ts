import { ipcRenderer, webUtils } from 'electron';
import { DROP_CHANNEL } from '../shared/wire.ts';

/** The little of the page's world that is used here; the preload is checked without the browser's types. */
interface DragLike {
  type: string;
  dataTransfer: { types: readonly string[]; files: ArrayLike<File>; dropEffect: string } | null;
  relatedTarget: unknown;
  preventDefault(): void;
  stopPropagation(): void;
}
declare const addEventListener: (type: string, listener: (event: DragLike) => void, isCapturing: boolean) => void;
declare const document: { documentElement: { toggleAttribute(name: string, isSet: boolean): void } };

/**
 * Hands what is dropped on the window to the app. The path of a file exists in this world only: the page, which may not
 * know it, receives no drop of files at all. While files are dragged over the page it carries `data-dropping`, which
 * keeps the stage's frame from taking the drop.
 */
export function sendDroppedFolders(): void {
  for (const type of ['dragenter', 'dragover', 'dragleave', 'drop']) addEventListener(type, take, true);
}

function take(event: DragLike): void {
  const { type, dataTransfer } = event;
  // Text that is dragged within the page belongs to the page.
  if (!dataTransfer?.types.includes('Files')) return;
  event.preventDefault();
  event.stopPropagation();
  dataTransfer.dropEffect = 'copy';
  const isOver = type === 'dragenter' || type === 'dragover' || (type === 'dragleave' && event.relatedTarget !== null);
  document.documentElement.toggleAttribute('data-dropping', isOver);
  const file = dataTransfer.files[0];
  if (type === 'drop') ipcRenderer.send(DROP_CHANNEL, file ? webUtils.getPathForFile(file) : '');
}
