/** Returns true for a statement that leaves the scene or offers a choice that leaves it. */
function leavesScene(line: string): boolean {
  const statement = (line.split(/(?<!\\);/)[0] ?? '').trim();
  if (/^(end$|end:|changeScene:)/.test(statement)) return true;
  if (!statement.startsWith('choose:')) return false;
  return statement
    .slice('choose:'.length)
    .split(/(?<!\\)\|/)
    .some((option) => (option.split(/(?<!\\):/)[1] ?? '').includes('.'));
}

/**
 * Inserts lines before the last statement that ends or leaves the scene, or at its end when there is none. Keeps every other
 * character, the line endings and the presence of a final line break.
 */
export function insertPassage(scene: string, passage: readonly string[]): string {
  const ending = scene.includes('\r\n') ? '\r\n' : '\n';
  const lines = scene.split('\n');
  const at = lines.findLastIndex((line) => leavesScene(line.replace(/^\uFEFF/, '')));
  if (at >= 0) {
    const head = lines.slice(0, at).map((line) => `${line}\n`);
    const mark = at === 0 && scene.startsWith('\uFEFF') ? '\uFEFF' : '';
    const tail = lines.slice(at).join('\n').slice(mark.length);
    return `${mark}${head.join('')}${passage.map((line) => line + ending).join('')}${tail}`;
  }
  const gap = scene === '' || scene.endsWith('\n') ? '' : ending;
  const closed = scene.endsWith('\n') || scene === '';
  return `${scene}${gap}${passage.join(ending)}${closed ? ending : ''}`;
}
