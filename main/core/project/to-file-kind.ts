import type { FileKind } from '../../../shared/model/project.ts';
import { isLeftBySystem, isLive2dPart } from '../../../shared/paths/figure-files.ts';

const KIND_OF_FOLDER: Readonly<Record<string, FileKind>> = {
  background: 'background',
  figure: 'figure',
  bgm: 'bgm',
  vocal: 'vocal',
  video: 'video',
  animation: 'animation',
  template: 'template',
};
/** Returns the kind of a game file by its folder. `path` is relative to the project root. */
export function toFileKind(path: string): FileKind {
  const [root, folder, ...rest] = path.split('/');
  if (root !== 'game' || folder === undefined) return 'other';
  const name = rest.at(-1);
  if (name === undefined) return folder === 'config.txt' ? 'config' : 'other';
  if (isLeftBySystem(name) || (folder === 'figure' && isLive2dPart(name))) return 'other';
  if (folder === 'scene') return path.toLowerCase().endsWith('.txt') ? 'scene' : 'other';
  return Object.hasOwn(KIND_OF_FOLDER, folder) ? (KIND_OF_FOLDER[folder] ?? 'other') : 'other';
}
