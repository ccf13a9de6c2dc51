import type { DrawnPicture, PlaceholderPicture } from '../../../shared/model/asset/placeholder.ts';
import { api } from '../../api.ts';
import { i18n } from '../../i18n/setup.ts';
import { toBase64 } from '../../ui/blob-bytes.ts';
import { drawPlaceholder } from './draw-placeholder.ts';
import { PAGE } from './page-id.ts';

/** Draws the placeholders that the app asks this page for; call once. */
export function connectDrawing(): void {
  api.on('assets.drawingRequested', ({ request, page, pictures }) => {
    if (page === PAGE) void answer(request, pictures).catch(() => undefined);
  });
}

async function answer(request: string, pictures: readonly PlaceholderPicture[]): Promise<void> {
  const drawn: DrawnPicture[] = [];
  for (const picture of pictures) {
    // One that cannot be drawn is missing from the answer.
    const data = await draw(picture).catch(() => null);
    if (data !== null) drawn.push({ path: picture.path, data });
  }
  await api.call('assets.drawn', { request, page: PAGE, pictures: drawn });
}

/** Returns the bytes in base64. */
async function draw(picture: PlaceholderPicture): Promise<string | null> {
  const blob = await drawPlaceholder(picture, {
    background: i18n.t('problems:placeholders.drawn.background'),
    figure: i18n.t('problems:placeholders.drawn.figure'),
    avatar: i18n.t('problems:placeholders.drawn.avatar'),
  });
  return blob && toBase64(blob);
}
