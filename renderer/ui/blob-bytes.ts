/** Resolves to null where the browser cannot write the picture. */
export function toBlob(canvas: HTMLCanvasElement, type: string, quality?: number): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, type, quality));
}

/** Returns the bytes as a `data:` URL, in base64. */
export function toDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** Returns the bytes in base64. */
export async function toBase64(blob: Blob): Promise<string> {
  const url = await toDataUrl(blob);
  return url.slice(url.indexOf(',') + 1);
}
