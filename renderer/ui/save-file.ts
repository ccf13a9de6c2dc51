/** Hands the browser a file to save. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads the address a moment later.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
