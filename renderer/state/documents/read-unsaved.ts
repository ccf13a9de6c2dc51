import type { UnsavedText } from '../../../shared/model/project.ts';
import { api } from '../../api.ts';

/** Reads the unsaved text of an earlier page that crashed or was reloaded, by path. */
export async function readUnsaved(): Promise<Map<string, UnsavedText>> {
  const { files } = await api.call('script.unsaved', {}).catch(() => ({ files: [] }));
  return new Map(files.map((file) => [file.path, file]));
}
