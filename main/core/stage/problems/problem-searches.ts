import type { StageProblem } from '../../../../shared/model/stage.ts';
import type { Statement } from '../../../../shared/script/syntax/scan.ts';
import { findFilledReference, findReference } from './find-reference.ts';

type Place = StageProblem['place'];

/** A scene whose lines may be the cause of a problem. Lists are sorted by likelihood, most likely first. */
export interface Suspect {
  path: string;
  statements: readonly Statement[];
}

/** The lines that may cause problems. Each search runs once: a game decides how many problems it reports, and how often. */
export interface ProblemSearches {
  areIn(suspects: readonly Suspect[], others: readonly Suspect[]): boolean;
  /** Finds the first line that refers to a file. */
  findFile(file: string): Place;
  /** Finds the line that names a file by variables. */
  findFilled(file: string): Place;
  /** Returns whether a scene of `others` refers to a file. */
  isElsewhere(file: string): boolean;
  findText(text: string): Place;
  /** Finds the first line that starts an effect. */
  findEffect(name: string): Place;
  /** Finds the line of an expression error. */
  findExpression(text: string): Place;
}

export function createSearches(suspects: readonly Suspect[], others: readonly Suspect[]): ProblemSearches {
  return {
    areIn: (nearby, far) => nearby === suspects && far === others,
    findFile: remember((file) => placeOfFile(file, suspects, findReference)),
    findFilled: remember((file) => placeOfFile(file, suspects, findFilledReference)),
    isElsewhere: remember((file) => placeOfFile(file, others, findReference) !== null),
    findText: remember((text) => placeOf(suspects, (statement) => statement.text.includes(text))),
    findEffect: remember((name) =>
      placeOf(suspects, ({ command, content }) => command?.name === 'pixiPerform' && content === name),
    ),
    findExpression: remember((text) => placeOfExpression(text, suspects)),
  };
}

function remember<T>(search: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = search(key);
    known.set(key, made);
    return made;
  };
}

function placeOf(suspects: readonly Suspect[], isIt: (statement: Statement) => boolean): Place {
  for (const { path, statements } of suspects) {
    const index = statements.findIndex(isIt);
    if (index >= 0) return { path, line: index + 1 };
  }
  return null;
}

function placeOfFile(
  file: string,
  suspects: readonly Suspect[],
  find: (statements: readonly Statement[], path: string) => number | null,
): Place {
  for (const { path, statements } of suspects) {
    const line = find(statements, file);
    if (line !== null) return { path, line };
  }
  return null;
}

/** Finds the line of an expression error. The engine reports no line, so null unless the scene has one expression only. */
function placeOfExpression(text: string, suspects: readonly Suspect[]): Place {
  if (!/expression compile error|\[\$(parse|lexer):/.test(text)) return null;
  const [suspect] = suspects;
  const lines = (suspect?.statements ?? []).flatMap(({ command, content }, index) =>
    command?.name === 'setVar' && hasExpression(content) ? [index + 1] : [],
  );
  return suspect && lines.length === 1 && lines[0] !== undefined ? { path: suspect.path, line: lines[0] } : null;
}

function hasExpression(assignment: string): boolean {
  const equals = assignment.indexOf('=');
  return equals >= 0 && /[+\-*/()]/.test(assignment.slice(equals));
}
