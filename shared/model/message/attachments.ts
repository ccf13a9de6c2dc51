import { z } from 'zod';
import { MAX_MENTIONS, Mention } from './mention.ts';
import { MAX_PICTURE_BYTES, MAX_PICTURES, PictureId } from './picture.ts';

/** What a message of the user refers to or shows. `pictures`: ids that `chat.addPicture` returned. */
export const attachments = {
  mentions: z.array(Mention).max(MAX_MENTIONS).optional(),
  pictures: z.array(PictureId).max(MAX_PICTURES).optional(),
};

/** Bytes of a picture in base64. Longer than the limit of bytes, so that a large picture gets an error of its own. */
export const PictureData = z.string().max(MAX_PICTURE_BYTES * 2);
