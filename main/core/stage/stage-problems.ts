import type { StageProblem } from '../../../shared/model/stage.ts';
import type { Statement } from '../../../shared/script/syntax/scan.ts';
import { findReference } from './find-reference.ts';
import { isScriptFault, toMissingProblem, toProblem, toSafeWords, toUnknownEffect } from './to-problem.ts';

type Place = StageProblem['place'];
type Trouble = { level: 'error' | 'exception' | 'warning' | 'blocked'; text: string };

const MAX_PROBLEMS = 50;
/** Separate limit for blocked addresses, so that many errors cannot displace them, nor they the errors. */
const MAX_BLOCKED = 20;

/** A scene whose lines may be the cause of a problem. Lists are sorted by likelihood, most likely first. */
export interface Suspect {
  path: string;
  statements: readonly Statement[];
}

/** Collects problems of the stage and finds the lines that cause them. */
export interface StageProblems {
  /** Records a request for a file that does not exist. */
  missing(path: string): void;
  receive(trouble: Trouble): void;
  /** Sets the line at which the engine is stuck; null: none. */
  stick(place: Place): void;
  /** Sets the problem that prevents the scene from being shown; null: none. */
  block(problem: StageProblem | null): void;
  /** Starts a new run: clears the engine's messages but keeps missing files. */
  restart(): void;
  /** Clears missing files, which may exist by now. */
  forgetMissing(): void;
  /** Returns the problems with their lines in `suspects`. Omits missing files that only `others` refer to. */
  list(suspects: readonly Suspect[], others: readonly Suspect[]): StageProblem[];
  /** Returns the engine's warnings of this run, for the assistant. */
  warnings(): string[];
  /** Returns the paths of missing files. */
  missingPaths(): string[];
}

export function createStageProblems(): StageProblems {
  const missing = new Set<string>();
  const troubles = new Map<string, Trouble>();
  let lastException: string | null = null;
  let stuck: Place = null;
  let blocked: StageProblem | null = null;

  const toTroubleProblem = ({ level, text }: Trouble, suspects: readonly Suspect[]): StageProblem => {
    if (level === 'blocked') {
      return toProblem(
        'blocked-address',
        text,
        placeOf(suspects, (statement) => statement.text.includes(text)),
      );
    }
    const effect = toUnknownEffect(text);
    if (effect !== null) {
      const place = placeOf(suspects, ({ command, content }) => command?.name === 'pixiPerform' && content === effect);
      return toProblem('script-error', `pixiPerform:${effect}`, place);
    }
    return toProblem('script-error', text, stuck ?? placeOfExpression(text, suspects));
  };

  return {
    missing(path) {
      if (missing.size < MAX_PROBLEMS) missing.add(path);
    },
    receive(trouble) {
      const text = toSafeWords(trouble.text);
      if (text === '') return;
      if (trouble.level === 'exception') lastException = text;
      if (trouble.level === 'exception' && !isScriptFault(text)) return;
      const isBlocked = trouble.level === 'blocked';
      const alike = [...troubles.values()].filter(({ level }) => (level === 'blocked') === isBlocked);
      if (alike.length < (isBlocked ? MAX_BLOCKED : MAX_PROBLEMS))
        troubles.set(`${trouble.level} ${text}`, { level: trouble.level, text });
    },
    stick(place) {
      stuck = place;
    },
    block(problem) {
      blocked = problem;
    },
    restart() {
      troubles.clear();
      lastException = null;
      stuck = null;
    },
    forgetMissing: () => missing.clear(),
    list(suspects, others) {
      const found = new Map<string, StageProblem>();
      const add = (problem: StageProblem) => {
        const known = found.get(problem.id);
        if (!known || (known.place === null && problem.place !== null)) found.set(problem.id, problem);
      };
      if (blocked) add(blocked);
      for (const trouble of troubles.values())
        if (trouble.level === 'blocked') add(toTroubleProblem(trouble, suspects));
      for (const path of missing) {
        const place = placeOfFile(path, suspects);
        if (place || !placeOfFile(path, others)) add(toMissingProblem(path, place));
      }
      for (const trouble of troubles.values()) {
        if (trouble.level !== 'warning') add(toTroubleProblem(trouble, suspects));
      }
      if (stuck) add(toProblem('stuck', lastException ?? '', stuck));
      return [...found.values()].slice(0, MAX_PROBLEMS);
    },
    warnings: () => [...troubles.values()].filter(({ level }) => level === 'warning').map(({ text }) => text),
    missingPaths: () => [...missing],
  };
}

function placeOf(suspects: readonly Suspect[], isIt: (statement: Statement) => boolean): Place {
  for (const { path, statements } of suspects) {
    const index = statements.findIndex(isIt);
    if (index >= 0) return { path, line: index + 1 };
  }
  return null;
}

function placeOfFile(file: string, suspects: readonly Suspect[]): Place {
  for (const { path, statements } of suspects) {
    const line = findReference(statements, file);
    if (line !== null) return { path, line };
  }
  return null;
}

/** Finds the line of an expression error. The engine reports no line, so null unless the scene has one expression only. */
function placeOfExpression(text: string, suspects: readonly Suspect[]): Place {
  if (!/expression compile error|\[\$(parse|lexer):/.test(text)) return null;
  const [suspect] = suspects;
  const lines = (suspect?.statements ?? []).flatMap(({ command, content }, index) =>
    command?.name === 'setVar' && /=.*[+\-*/()]/.test(content) ? [index + 1] : [],
  );
  return suspect && lines.length === 1 && lines[0] !== undefined ? { path: suspect.path, line: lines[0] } : null;
}
