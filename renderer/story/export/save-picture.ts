/** More than this in one direction or in all, and a browser draws nothing. Pixels. */
const LONGEST_SIDE = 8192;
const LARGEST_AREA = 48_000_000;

/** By how much a picture of that size is enlarged (up to twice) or shrunk so that a canvas can hold it. */
export function toPictureScale(width: number, height: number): number {
  return Math.min(2, LONGEST_SIDE / width, LONGEST_SIDE / height, Math.sqrt(LARGEST_AREA / (width * height)));
}

/** An SVG document drawn into a PNG. Throws where the browser cannot. */
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
    if (blob === null) throw new Error('The canvas gave no picture.');
    return blob;
  } finally {
    URL.revokeObjectURL(address);
  }
}
