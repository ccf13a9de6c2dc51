import { hash } from 'node:crypto';
import { AppError } from '../../../shared/errors.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes bytes, byte order mark included. Throws `E_ENCODING` for anything that is not strict UTF-8. */
export function toText(bytes: Uint8Array, path: string): string {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    throw new AppError('E_ENCODING', `"${path}" is not UTF-8 text. It was left untouched.`, {
      details: { path },
      hint: 'Save it as UTF-8 first; WebGAL reads nothing else.',
      reason: 'file.notUtf8',
      cause: error,
    });
  }
}

/** Encodes a text as UTF-8. Throws for a lone surrogate, which would silently become another character. */
export function toBytes(text: string, path: string): Buffer {
  if (!text.isWellFormed()) {
    throw new AppError('E_ENCODING', `The text for "${path}" contains a lone surrogate. Nothing was written.`, {
      details: { path },
      hint: 'Send the text again without cut-off characters.',
      reason: 'file.brokenText',
    });
  }
  return Buffer.from(text, 'utf8');
}

/** Returns a file's version: sha-256 in hex. */
export function toVersion(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}
