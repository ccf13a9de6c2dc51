import type { Range } from '../../model/diagnostic.ts';
import type { ProjectIndex } from '../project-index/project-facts.ts';
import { unreachableLines } from '../story/story-graph.ts';
import type { Command } from '../syntax/commands.ts';
import { Statement } from '../syntax/scan.ts';

/** Decorations of a scene's text that are not problems. */
export interface LineMarks {
  /** Ranges of 1-based lines that no player reaches. */
  unreachable: readonly { first: number; last: number }[];
  /** Arguments of old scripts that have no effect. */
  inert: readonly Range[];
}

/** Ranges to fade and to strike through in a scene; both lists are sorted by position. */
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

/** Fast check that avoids scanning the arguments of almost every line. */
function mayBeInert(command: Command, text: string): boolean {
  let names = inertNames.get(command);
  if (names === undefined) {
    names = [...command.arguments.values()].filter((spec) => spec.isInert).map((spec) => ` -${spec.name}`);
    inertNames.set(command, names);
  }
  return names.some((name) => text.includes(name));
}
