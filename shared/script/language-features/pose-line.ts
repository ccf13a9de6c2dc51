import type { TextEdit } from '../../model/diagnostic.ts';
import { type StagePose, toTransform } from '../../model/stage/stage-look.ts';
import { Statement } from '../syntax/scan.ts';

/** What a line puts on the stage, or changes of it, must be there before it is posed. */
const PUTS_SOMETHING = /^(?:change|set)/;
/** What would end the argument of a target, or the line. */
const NO_TARGET = /[\r\n;]| -/;

/**
 * Returns the edit that gives something on the stage a pose where the line `line` (1-based, with the text `text`) is played: before
 * a line that the player reads or answers, behind one that puts something on the stage. `target` is the engine's name of the thing. Null
 * where a script cannot write that name.
 */
export function toPoseEdit(
  text: string,
  { line, target, pose }: { line: number; target: string; pose: StagePose },
): TextEdit | null {
  if (target === '' || NO_TARGET.test(target)) return null;
  const added = `setTransform:${JSON.stringify(toTransform(pose))} -target=${target} -duration=0 -next;`;
  const isBehind = PUTS_SOMETHING.test(new Statement(text, line - 1, 0).command?.name ?? '');
  const column = isBehind ? text.length + 1 : 1;
  return { line, column, endLine: line, endColumn: column, newText: isBehind ? `\n${added}` : `${added}\n` };
}
