/** Returns the scene file name without the scene folder. */
export function toSceneName(path: string): string {
  return path.replace(/^game\/scene\//, '');
}
