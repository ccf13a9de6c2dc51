/** What a writer calls a file: `game/scene/start.txt` is “start”. */
export function sceneName(path: string): string {
  return path.replace(/^game\/(scene\/)?/, '').replace(/\.txt$/i, '');
}
