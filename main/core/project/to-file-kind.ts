import type { FileKind } from '../../../shared/model/project.ts';

const KIND_OF_FOLDER: Readonly<Record<string, FileKind>> = {
  background: 'background',
  figure: 'figure',
  bgm: 'bgm',
  vocal: 'vocal',
  video: 'video',
  animation: 'animation',
  template: 'template',
};
/** What systems and programs leave in folders of pictures. */
const LEFT_BY_SYSTEM = /^(?:\..*|thumbs\.db|desktop\.ini)$/i;
/** Parts of a Live2D model, which no script names: shape, motions, expressions, physics. */
const LIVE2D_PART =
  /(?:\.moc3?|\.mtn|\.exp3?\.json|\.(?:motion|physics|pose|userdata|cdi|vtube)3?\.json|^(?:physics|pose)\.json)$/i;

/** What a file of a game is for, by where it lies. Paths are relative to the project root. */
export function toFileKind(path: string): FileKind {
  const [root, folder, ...rest] = path.split('/');
  if (root !== 'game' || folder === undefined) return 'other';
  const name = rest.at(-1);
  if (name === undefined) return folder === 'config.txt' ? 'config' : 'other';
  if (LEFT_BY_SYSTEM.test(name) || (folder === 'figure' && LIVE2D_PART.test(name))) return 'other';
  if (folder === 'scene') return path.toLowerCase().endsWith('.txt') ? 'scene' : 'other';
  return Object.hasOwn(KIND_OF_FOLDER, folder) ? (KIND_OF_FOLDER[folder] ?? 'other') : 'other';
}
