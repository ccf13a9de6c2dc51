import type { DrawnPicture, PlaceholderPicture } from '../../../../shared/model/asset/placeholder.ts';

/** Draws pictures in the window of the app. */
export interface Painter {
  /**
   * Returns pictures, their bytes unchecked, for at most `MAX_DRAWN_AT_ONCE`; some may be missing. Throws `E_UNSUPPORTED` without a page,
   * `E_TIMEOUT` if it does not answer.
   */
  draw(pictures: readonly PlaceholderPicture[], signal: AbortSignal): Promise<DrawnPicture[]>;
}
