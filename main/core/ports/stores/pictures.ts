import type { Picture, PictureType } from '../../../../shared/model/message/picture.ts';

/** The pictures of a game's conversations, stored beside the session logs under the hash of their bytes. */
export interface Pictures {
  /**
   * Stores a picture, `data` in base64; the same bytes are stored once. Throws `E_UNSUPPORTED` (`picture.type`) unless the bytes
   * begin as a picture does, and `E_TOO_LARGE` (`picture.tooLarge`).
   */
  add(data: string): Promise<Picture>;
  /** Returns a picture in base64. Throws `E_NOT_FOUND` (`picture.gone`) if it is not there, or its bytes are others. */
  read(id: string): Promise<{ type: PictureType; data: string; bytes: number }>;
  /**
   * Returns a picture of the game, which may be larger than one that is stored. Throws as `add`, and as a reader does for a file
   * that is gone or outside.
   */
  readAsset(path: string): Promise<{ type: PictureType; data: string }>;
}
