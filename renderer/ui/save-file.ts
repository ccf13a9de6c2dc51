/** Starts a browser download of a file. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads the object URL asynchronously.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
