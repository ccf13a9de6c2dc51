/** A scene as the writer calls it: without the folder every scene lies in. */
export function toSceneName(path: string): string {
  return path.replace(/^game\/scene\//, '');
}
