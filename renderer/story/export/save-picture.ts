/** Canvas limits of browsers, in pixels: a larger canvas stays empty. */
const MAX_SIDE = 8192;
const MAX_AREA = 48_000_000;

/** Returns the scale of an exported image: at most 2, and small enough for the canvas limits. */
export function toPictureScale(width: number, height: number): number {
  return Math.min(2, MAX_SIDE / width, MAX_SIDE / height, Math.sqrt(MAX_AREA / (width * height)));
}

/** Renders an SVG document to PNG. Throws if the browser cannot decode or encode it. */
export async function toPng(svg: string, size: { width: number; height: number }): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const scale = toPictureScale(size.width, size.height);
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.floor(size.width * scale));
    canvas.height = Math.max(1, Math.floor(size.height * scale));
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (blob === null) throw new Error('The canvas returned no image.');
    return blob;
  } finally {
    URL.revokeObjectURL(address);
  }
}
