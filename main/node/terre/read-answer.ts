/**
 * Returns the body of an answer. Rejects as soon as it has more bytes than `maximum`. `onBytes` receives the number of bytes of each
 * part, and can end the reading by an exception.
 */
export async function readAnswer(
  { body }: Response,
  maximum: number,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.byteLength;
    if (bytes > maximum) throw new Error('The answer is too large.');
    onBytes(part.byteLength);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
