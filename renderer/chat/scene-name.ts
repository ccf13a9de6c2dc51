/** Returns the display name of a scene file: `game/scene/start.txt` is “start”. */
export function sceneName(path: string): string {
  return path.replace(/^game\/(scene\/)?/, '').replace(/\.txt$/i, '');
}
