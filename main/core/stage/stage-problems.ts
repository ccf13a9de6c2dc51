import type { StageProblem } from '../../../shared/model/stage.ts';
import type { Statement } from '../../../shared/script/syntax/scan.ts';
import { findReference } from './find-reference.ts';
import { isScriptFault, toMissingProblem, toProblem, toSafeWords, toUnknownEffect } from './to-problem.ts';

type Place = StageProblem['place'];
type Trouble = { level: 'error' | 'exception' | 'warning' | 'blocked'; text: string };

const MOST = 50;
/** Of these, addresses that the game tried to reach: a game that makes up errors must not hide them, nor they its errors. */
const MOST_BLOCKED = 20;

/** A scene whose lines may be to blame, the likeliest first. */
export interface Suspect {
  path: string;
  statements: readonly Statement[];
}

/** Gathers what goes wrong on stage and says which line it comes from. */
export interface StageProblems {
  /** A file was asked for that is not there. */
  missing(path: string): void;
  hear(trouble: Trouble): void;
  /** The story does not get past this place; null: it does. */
  stick(place: Place): void;
  /** What keeps the scene from being shown at all; null: nothing. */
  block(problem: StageProblem | null): void;
  /** A new run: what the engine said is forgotten, what is not on disk is not. */
  restart(): void;
  /** Files that are looked for anew: they may be there now. */
  forgetMissing(): void;
  /** Lines are looked up in `suspects`; a missing file that only other scenes name is left out. */
  list(suspects: readonly Suspect[], others: readonly Suspect[]): StageProblem[];
  /** Warnings since the restart, for the assistant. */
  warnings(): string[];
  /** Files asked for in vain. */
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
      if (missing.size < MOST) missing.add(path);
    },
    hear(trouble) {
      const text = toSafeWords(trouble.text);
      if (text === '') return;
      if (trouble.level === 'exception') lastException = text;
      if (trouble.level === 'exception' && !isScriptFault(text)) return;
      const isBlocked = trouble.level === 'blocked';
      const alike = [...troubles.values()].filter(({ level }) => (level === 'blocked') === isBlocked);
      if (alike.length < (isBlocked ? MOST_BLOCKED : MOST))
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
      return [...found.values()].slice(0, MOST);
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

/** The engine does not say which line it was calculating for: named only when the scene calculates once. */
function placeOfExpression(text: string, suspects: readonly Suspect[]): Place {
  if (!/expression compile error|\[\$(parse|lexer):/.test(text)) return null;
  const [suspect] = suspects;
  const lines = (suspect?.statements ?? []).flatMap(({ command, content }, index) =>
    command?.name === 'setVar' && /=.*[+\-*/()]/.test(content) ? [index + 1] : [],
  );
  return suspect && lines.length === 1 && lines[0] !== undefined ? { path: suspect.path, line: lines[0] } : null;
}
