import type { Asset } from '../../../../shared/model/asset/asset.ts';

/**
 * Pictures and sounds that are not files of the game, or not any more: what connected services answered, what a proposal would
 * write, and what a write replaced. Each is stored once, under the hash of its bytes.
 */
export interface Assets {
  /**
   * Keeps a picture or a sound, given as bytes or as base64 of them. Throws `E_UNSUPPORTED` (`asset.type`) unless the bytes are one,
   * whatever was said about them, and `E_TOO_LARGE` (`asset.bytes`, `asset.pixels`; `asset.full`: what is protected leaves no room).
   */
  add(data: Uint8Array | string): Promise<Asset>;
  /** Returns one with its bytes in base64. Throws `E_NOT_FOUND` (`asset.gone`) if it is not there, or its bytes are others. */
  read(id: string): Promise<{ asset: Asset; data: string }>;
  /** Sets how to find what must not go to make room: what an open proposal names. Called for each `add`; replaces an earlier one. */
  protect(named: () => Iterable<string>): void;
  /** Returns the file of the game at `path` if its bytes have this hash. Throws as `read`. */
  readGame(path: string, id: string): Promise<{ asset: Asset; data: string }>;
}
