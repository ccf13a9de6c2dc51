/** How many texts are remembered. A dry run, the write after it and what follows ask for the same few. */
const REMEMBERED = 6;
/** Longer texts are not kept alive for it. */
const MAX_REMEMBERED_LENGTH = 256 * 1024;
const remembered = new Map<string, Promise<{ version: string; bytes: number }>>();

/** What a text would be on disk: its version (sha-256 of its UTF-8 bytes, hex), as `Reader` gives it, and its size. */
export async function toTextVersion(text: string): Promise<{ version: string; bytes: number }> {
  if (text.length > MAX_REMEMBERED_LENGTH) return digest(text);
  const known = remembered.get(text) ?? digest(text);
  // The last asked for is forgotten last.
  remembered.delete(text);
  remembered.set(text, known);
  for (const oldest of remembered.keys()) {
    if (remembered.size <= REMEMBERED) break;
    remembered.delete(oldest);
  }
  return known;
}

async function digest(text: string): Promise<{ version: string; bytes: number }> {
  const bytes = new TextEncoder().encode(text);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  let version = '';
  for (const byte of hash) version += byte.toString(16).padStart(2, '0');
  return { version, bytes: bytes.length };
}
