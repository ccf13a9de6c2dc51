import type { ProjectFile } from '../../../shared/model/project.ts';
import { toShortName } from '../../state/project/file-kinds.ts';

/** The command that shows or plays a file of each kind. A change of picture goes on to the next line, as most scripts write it. */
const COMMANDS: Partial<Record<ProjectFile['kind'], readonly [command: string, end: string]>> = {
  scene: ['changeScene', ';'],
  background: ['changeBg', ' -next;'],
  figure: ['changeFigure', ' -next;'],
  bgm: ['bgm', ';'],
  vocal: ['playEffect', ';'],
  video: ['playVideo', ';'],
};

/** Returns the statement that uses a file; null for a kind without one, and for a name that a script cannot write. */
export function toStatement(file: Pick<ProjectFile, 'path' | 'kind'>): string | null {
  const command = COMMANDS[file.kind];
  const name = toShortName(file);
  if (!command || /[;\r\n]| -/.test(name)) return null;
  return `${command[0]}:${name}${command[1]}`;
}
