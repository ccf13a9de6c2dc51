import { AppError } from '../../../../shared/errors.ts';
import type { ProviderAnswer } from '../../ports/providers/provider.ts';
import type { Assets } from '../../ports/stores/assets.ts';
import { toPlainLine } from './plain-text.ts';
import type { ReceivedFile } from './to-answer.ts';

/** Most pictures and sounds of one answer that are kept. */
const MAX_KEPT_FILES = 24;

/** Keeps the pictures and sounds of an answer. What is not kept says why; what is beyond the greatest number is left out. */
export async function keepFiles({ content }: ProviderAnswer, assets: Pick<Assets, 'add'>): Promise<ReceivedFile[]> {
  const files: ReceivedFile[] = [];
  for (const part of content) {
    if (part.kind !== 'media') continue;
    if (files.length === MAX_KEPT_FILES) break;
    const claimed = toPlainLine(part.mediaType, 100);
    try {
      const asset = await assets.add(part.bytes);
      files.push({ asset, bytes: asset.bytes, mediaType: asset.type });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const notKept = `${error.message} ${error.hint ?? ''}`.trim();
      files.push({ asset: null, bytes: part.bytes.byteLength, mediaType: claimed, notKept });
    }
  }
  return files;
}
