/** Longest name on a placeholder. */
const MAX_NAME = 60;

/**
 * Returns the name of a file without folder and extension, and a hue (0 to 359) by its beginning: `aki-smile` and `aki_sad` have the
 * same one, because they are pictures of one figure.
 */
export function toPlaceholderLabel(path: string): { name: string; hue: number } {
  const file = path.slice(path.lastIndexOf('/') + 1);
  const dot = file.lastIndexOf('.');
  const name = dot > 0 ? file.slice(0, dot) : file;
  const [subject = name] = name.split(/[-_ .]/).filter((part) => part !== '');
  let hash = 0;
  for (let at = 0; at < subject.length; at += 1) hash = (hash * 31 + subject.charCodeAt(at)) % 360;
  return { name: [...name].slice(0, MAX_NAME).join(''), hue: hash };
}
