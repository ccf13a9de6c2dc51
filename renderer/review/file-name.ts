/** How a file is called on a tab: without the folders every scene lies in. */
export function fileName(path: string): string {
  return path.replace(/^game\/(scene\/)?/, '');
}
