import { MAX_PICTURE_BYTES, MAX_PICTURE_SIDE, MAX_PICTURES } from '../../shared/model/message/picture.ts';
import { api } from '../api.ts';
import { i18n } from '../i18n/setup.ts';
import { addPicture } from '../state/chat/attachment-store.ts';
import { attempt, notify } from '../state/notify.ts';
import { toBlob, toDataUrl } from '../ui/blob-bytes.ts';

/** Above this size a picture without a loss is sent as JPEG. */
const MAX_LOSSLESS_BYTES = 2 * 1024 * 1024;
const JPEG_QUALITY = 0.9;

/** Adds pictures to the message that is being written. Reports each file that is none, and pictures beyond the maximum. */
export async function addPictures(files: readonly Blob[]): Promise<void> {
  for (const file of files) {
    const isAdded = await attempt(async () => {
      const prepared = await preparePicture(file);
      if (prepared === null) {
        notify({ level: 'warning', text: i18n.t('errors:picture.type') });
        return;
      }
      const url = await toDataUrl(prepared);
      const { picture } = await api.call('chat.addPicture', { data: url.slice(url.indexOf(',') + 1) });
      if (!addPicture({ picture, url })) {
        notify({ level: 'warning', text: i18n.t('chat:composer.attach.tooManyPictures', { count: MAX_PICTURES }) });
      }
    });
    if (!isAdded) return;
  }
}

/** Adds a picture of the game to the message that is being written. */
export async function addAssetPicture(path: string): Promise<void> {
  await attempt(async () => {
    const { type, data } = await api.call('chat.assetPicture', { path });
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    await addPictures([new Blob([bytes], { type })]);
  });
}

/**
 * Draws a picture again, at most `MAX_PICTURE_SIDE` pixels long: this leaves out metadata such as the place of a photograph, and all
 * but the first frame. Null for a file that the browser cannot draw.
 */
async function preparePicture(file: Blob): Promise<Blob | null> {
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (bitmap === null) return null;
  const scale = Math.min(1, MAX_PICTURE_SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d');
  context?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const exact = file.type === 'image/jpeg' ? null : await toBlob(canvas, 'image/png');
  if (exact && exact.size <= MAX_LOSSLESS_BYTES) return exact;
  // JPEG has no transparency: what is transparent would become black.
  if (context) {
    context.globalCompositeOperation = 'destination-over';
    context.fillStyle = 'white';
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  const small = await toBlob(canvas, 'image/jpeg', JPEG_QUALITY);
  return small && small.size <= MAX_PICTURE_BYTES ? small : exact;
}
