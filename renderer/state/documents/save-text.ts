import { api } from '../../api.ts';
import { placeInHistory } from '../monaco/models.ts';
import type { UnsavedTextSender } from './unsaved-text.ts';

/** Characters from which a save refers to the app's copy: sending 1.5 million of them blocks the page for 70 ms. */
const MIN_REFERENCED = 50_000;

/**
 * Saves the text on screen over `version` of the file; null: a new file. Resolves to the new version. Throws `E_CONFLICT` when the
 * disk has another version.
 */
export async function saveText(
  request: { path: string; text: string; version: string | null },
  sender: Pick<UnsavedTextSender, 'sync'>,
): Promise<string> {
  const saved = request.text.length < MIN_REFERENCED ? null : await saveCopy(request, sender);
  return saved ?? (await api.call('script.save', request)).version;
}

/** Saves the app's copy of the text. Null: the copy is another text, and nothing was written. */
async function saveCopy(
  { path, version }: { path: string; version: string | null },
  sender: Pick<UnsavedTextSender, 'sync'>,
): Promise<string | null> {
  const place = placeInHistory(path);
  const revision = await sender.sync(version);
  // The user may have typed meanwhile, or opened another game that has a file with this path.
  if (revision === null || place === undefined || placeInHistory(path) !== place) return null;
  return (await api.call('script.saveBuffer', { path, revision, version })).version;
}
