/** Number of cached texts. A dry run, the write after it and later reads use the same few texts. */
const MAX_CACHED_TEXTS = 6;
/** Longer texts are not cached, to bound memory. */
const MAX_CACHED_LENGTH = 256 * 1024;
const cache = new Map<string, Promise<{ version: string; bytes: number }>>();

/** Returns the version (SHA-256 of the UTF-8 bytes, hex) and the size that a text has on disk, as `Reader` returns them. */
export async function toTextVersion(text: string): Promise<{ version: string; bytes: number }> {
  if (text.length > MAX_CACHED_LENGTH) return digest(text);
  const known = cache.get(text) ?? digest(text);
  // Reinserted as the most recent entry; the oldest is evicted first.
  cache.delete(text);
  cache.set(text, known);
  for (const oldest of cache.keys()) {
    if (cache.size <= MAX_CACHED_TEXTS) break;
    cache.delete(oldest);
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
