import type { Range } from '../model/diagnostic.ts';
import type { Command } from './commands.ts';
import type { ProjectIndex } from './project-facts.ts';
import { Statement } from './scan.ts';
import { unreachableLines } from './story-graph.ts';

/** What a scene's text shows of itself without being a problem. */
export interface LineMarks {
  /** Runs of 1-based lines that no player gets to. */
  unreachable: readonly { first: number; last: number }[];
  /** Arguments of old scripts that do nothing. */
  inert: readonly Range[];
}

/** What to fade and what to strike through in a scene; both are lists in order of place. */
export function marksOf(index: ProjectIndex, path: string): LineMarks {
  const inert: Range[] = [];
  for (const [line, { command, text }] of (index.scene(path)?.records ?? []).entries()) {
    if (command === null || !mayBeInert(command, text)) continue;
    for (const argument of new Statement(text, line, 0).arguments) {
      if (command.arguments.get(argument.name)?.isInert !== true || argument.isVoice) continue;
      const column = argument.nameStart + 1;
      const end = Math.max(argument.nameEnd, argument.valueEnd) + 1;
      inert.push({ line: line + 1, column, endLine: line + 1, endColumn: end });
    }
  }
  return { unreachable: unreachableLines(index, path), inert };
}

const inertNames = new WeakMap<Command, readonly string[]>();

/** Spares almost every line the reading of its arguments. */
function mayBeInert(command: Command, text: string): boolean {
  let names = inertNames.get(command);
  if (names === undefined) {
    names = [...command.arguments.values()].filter((spec) => spec.isInert).map((spec) => ` -${spec.name}`);
    inertNames.set(command, names);
  }
  return names.some((name) => text.includes(name));
}
