/** What a text would be on disk: its version (sha-256 of its UTF-8 bytes, hex), as `Reader` gives it, and its size. */
export async function toTextVersion(text: string): Promise<{ version: string; bytes: number }> {
  const bytes = new TextEncoder().encode(text);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  let version = '';
  for (const byte of digest) version += byte.toString(16).padStart(2, '0');
  return { version, bytes: bytes.length };
}
