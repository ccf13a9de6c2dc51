import { z } from 'zod';
import { AppError } from '../../../../shared/errors.ts';
import { UnsavedText } from '../../../../shared/model/project.ts';
import type { ProgramFile } from '../../ports/workspace.ts';
import type { Buffers } from '../../services.ts';
import type { BaseTexts } from './base-texts.ts';

/** What is stored of unsaved text: the texts, and what each was made from (null: not known). */
const StoredTexts = z.array(UnsavedText.extend({ base: z.string().nullable() }));
type StoredTexts = z.infer<typeof StoredTexts>;

/** With the text that each was made from, without which it could not be merged with the disk's after a start. */
export function toStoredTexts(texts: readonly UnsavedText[], bases: BaseTexts): StoredTexts {
  return texts.map((text) => ({ ...text, base: text.version && bases.find(text.version) }));
}

/**
 * Takes over the texts that programs which were killed have left: those of `file`, then those of others. Of two texts of one file, the
 * second stays stored for a later start. What cannot be read or understood stays stored as well; rejects with its error after all
 * others were taken over.
 */
export async function restoreTexts(
  file: ProgramFile,
  { buffers, bases }: { buffers: Buffers; bases: BaseTexts },
): Promise<void> {
  const takeOver = (texts: StoredTexts): void => {
    for (const { path, text, version, base } of texts) {
      if (version !== null && base !== null) bases.remember(version, base);
      buffers.set(path, text, { version });
    }
  };

  let fault: unknown = null;
  try {
    takeOver(await readOwn(file));
  } catch (error) {
    fault = error;
  }
  await file.takeOthers(async (value) => {
    const { data } = StoredTexts.safeParse(value);
    if (data === undefined) return value;
    const open = buffers.all();
    const taken = data.filter(({ path }) => !open.has(path));
    const waits = data.filter(({ path, text }) => open.has(path) && open.get(path) !== text);
    if (waits.length === data.length) return value;
    takeOver(taken);
    // Before it is removed there.
    await file.write(toStoredTexts(buffers.unsaved(), bases));
    return waits.length > 0 ? waits : null;
  });
  if (fault !== null) throw fault;
}

async function readOwn(file: ProgramFile): Promise<StoredTexts> {
  const stored = await file.read();
  if (stored === null) return [];
  const { data } = StoredTexts.safeParse(stored);
  if (data !== undefined) return data;
  await file.leave();
  throw new AppError('E_PARSE_FAIL', 'The stored unsaved text is damaged. It stays as it is.');
}
