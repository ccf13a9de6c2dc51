import { LINE, type LineRecord } from '../syntax/analyze-line.ts';
import { Statement } from '../syntax/scan.ts';
import { coverAllCases } from './opposite-conditions.ts';

const LEAVES: ReadonlySet<string> = new Set(['end', 'changeScene', 'jumpLabel']);
/** Exits that are looked at, from the end of the scene. */
const MAX_EXITS = 50;

/** True when the conditions of a scene's last exits cover all cases, so that one of them is always taken. `labels`: those of the scene. */
export function leavesEitherWay(records: readonly LineRecord[], labels: { has(name: string): boolean }): boolean {
  const conditions: string[] = [];
  for (let line = records.length - 1; line >= 0 && conditions.length < MAX_EXITS; line -= 1) {
    const { command, flags, text, references } = records[line] as LineRecord;
    const name = command?.name ?? '';
    // The condition may have had another value before these.
    if (name === 'setVar' || name === 'getUserInput' || name === 'callScene' || name === 'label') break;
    if (!LEAVES.has(name) || (flags & LINE.conditional) === 0) continue;
    if (name === 'jumpLabel' && !references?.some((jump) => jump.role === 'jump' && labels.has(jump.name))) continue;
    const condition = new Statement(text, 0, 0).argument('when')?.raw;
    if (typeof condition === 'string') conditions.push(condition);
  }
  return coverAllCases(conditions);
}
