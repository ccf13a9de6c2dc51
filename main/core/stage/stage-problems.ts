import type { StageProblem } from '../../../shared/model/stage.ts';
import type { Statement } from '../../../shared/script/syntax/scan.ts';
import type { StageTrouble } from '../ports/stage-link.ts';
import { toFiles, toPlainPath } from './find-reference.ts';
import { createSearches, type ProblemSearches, type Suspect } from './problem-searches.ts';
import {
  type FileFault,
  isEndless,
  isScriptFault,
  toErrorWords,
  toFileProblem,
  toPlacedProblem,
  toProblem,
  toUnknownEffect,
} from './to-problem.ts';

type Place = StageProblem['place'];
type Trouble = Pick<StageTrouble, 'level' | 'text'>;
type PlacedTrouble = Trouble & { place: Place };

const MAX_PROBLEMS = 50;
/** Separate limit for blocked addresses, so that many errors cannot displace them, nor they the errors. */
const MAX_BLOCKED = 20;
/** More than names are typed before the engine has asked for the first of them. */
const MAX_SENT = 200;

/** Collects problems of the stage and finds the lines that cause them. */
export interface StageProblems {
  /** Records a request for a file that does not exist, or that no browser can read. Returns false if nothing changed. */
  addFile(path: string, fault: FileFault): boolean;
  /** Returns false if nothing changed. */
  receive(trouble: Trouble, place?: Place): boolean;
  /** Notes the statement that the engine is sent to: while it is typed, the engine asks for names that no line has any more. */
  noteSent(statement: Statement): void;
  /** Sets the line at which the engine is stuck; null: none. */
  stick(place: Place): void;
  /** Sets the problem that prevents the scene from being shown; null: none. */
  block(problem: StageProblem | null): void;
  /** Starts a new run: clears the engine's messages but keeps files and the addresses that the game tried to reach. */
  restart(): void;
  /** Clears all, for a page that is loaded anew: it reports again what is still so. */
  forget(): void;
  /** Returns the problems with their lines in `suspects`. Omits files that only `others` refer to. */
  list(suspects: readonly Suspect[], others: readonly Suspect[]): StageProblem[];
  /** Returns the engine's warnings of this run, for the assistant. */
  warnings(): string[];
  /** True where lines are searched for files. */
  hasFiles(): boolean;
}

export function createStageProblems(): StageProblems {
  const files = new Map<string, FileFault>();
  /** Those of them that a line named when they were listed. */
  const named = new Set<string>();
  /** Names of statements that the engine was sent to, newest last. */
  const sent = new Set<string>();
  const troubles = new Map<string, PlacedTrouble>();
  /** Searches through scenes, which each report of the engine repeats; `list` replaces it for other scenes. */
  let searches = createSearches([], []);
  let lastException: string | null = null;
  let stuck: Place = null;
  let blocked: StageProblem | null = null;

  /** Keys of blocked addresses that a line named when they were listed. */
  const written = new Set<string>();

  const restart = (): void => {
    endRun(troubles, written);
    lastException = null;
    stuck = null;
  };

  return {
    addFile(path, fault) {
      if (files.size >= MAX_PROBLEMS || files.has(path)) return false;
      files.set(path, fault);
      return true;
    },
    receive(trouble, place = null) {
      const text = toErrorWords(trouble.text);
      const isNamed = trouble.level === 'endless' || trouble.level === 'empty-menu';
      if (text === '' && !isNamed) return false;
      const isNewCause = trouble.level === 'exception' && text !== lastException && stuck !== null;
      if (trouble.level === 'exception') lastException = text;
      if (trouble.level === 'exception' && !isScriptFault(text)) return isNewCause;
      const isBlocked = trouble.level === 'blocked';
      const key = `${trouble.level} ${text} ${place?.path}:${place?.line}`;
      const alike = [...troubles.values()].filter(({ level }) => (level === 'blocked') === isBlocked);
      if (troubles.has(key) || alike.length >= (isBlocked ? MAX_BLOCKED : MAX_PROBLEMS)) return isNewCause;
      troubles.set(key, { level: trouble.level, text, place });
      return true;
    },
    noteSent(statement) {
      for (const path of toFiles(statement)) {
        sent.delete(path);
        sent.add(path);
      }
      for (const oldest of sent) {
        if (sent.size <= MAX_SENT) break;
        sent.delete(oldest);
      }
    },
    stick(place) {
      stuck = place;
    },
    block(problem) {
      blocked = problem;
    },
    restart,
    forget() {
      restart();
      troubles.clear();
      files.clear();
      named.clear();
      sent.clear();
    },
    list(suspects, others) {
      if (!searches.areIn(suspects, others)) searches = createSearches(suspects, others);
      const found = new Map<string, StageProblem>();
      const add = (problem: StageProblem) => {
        const known = found.get(problem.id);
        if (!known || (known.place === null && problem.place !== null)) found.set(problem.id, problem);
      };
      if (blocked) add(blocked);
      for (const problem of listBlocked(troubles, searches, written)) add(problem);
      for (const [path, fault] of files) {
        const place = searches.findFile(path);
        const isElsewhere = searches.isElsewhere(path);
        // A name that was only typed on the way to another one. The engine asks for the file again if a line names it again.
        const wasTyped = !place && !isElsewhere && (named.has(path) || sent.has(toPlainPath(path)));
        if (wasTyped) {
          named.delete(path);
          files.delete(path);
        } else if (place || !isElsewhere) add(toFileProblem(path, fault, place ?? searches.findFilled(path)));
        if (place || isElsewhere) named.add(path);
      }
      for (const trouble of listErrors(troubles, stuck, lastException)) add(toTroubleProblem(trouble, searches, stuck));
      if (stuck) add(toProblem('stuck', lastException ?? '', stuck));
      return [...found.values()].slice(0, MAX_PROBLEMS);
    },
    warnings: () => [...troubles.values()].filter(({ level }) => level === 'warning').map(({ text }) => text),
    hasFiles: () => files.size > 0,
  };
}

/** Returns the errors without the reason of the line at which the story is stuck: it is told with that line. */
function listErrors(
  troubles: ReadonlyMap<string, PlacedTrouble>,
  stuck: Place,
  lastException: string | null,
): PlacedTrouble[] {
  const isReason = ({ text, place }: PlacedTrouble): boolean =>
    stuck !== null &&
    text === lastException &&
    (place === null || (place.path === stuck.path && place.line === stuck.line));
  return [...troubles.values()].filter((trouble) => trouble.level !== 'warning' && !isReason(trouble));
}

/** Adds to `written` the keys of those that a line names. */
function listBlocked(
  troubles: ReadonlyMap<string, PlacedTrouble>,
  searches: ProblemSearches,
  written: Set<string>,
): StageProblem[] {
  return [...troubles].flatMap(([key, trouble]) => {
    if (trouble.level !== 'blocked') return [];
    const problem = toTroubleProblem(trouble, searches, null);
    if (problem.place !== null) written.add(key);
    return [problem];
  });
}

/** Each jump is a new run. A script of the game does not ask again for an address, as a line does that is played again. */
function endRun(troubles: Map<string, PlacedTrouble>, written: Set<string>): void {
  for (const [key, { level }] of troubles) if (level !== 'blocked' || written.has(key)) troubles.delete(key);
  written.clear();
}

function toTroubleProblem(
  { level, text, place }: PlacedTrouble,
  searches: ProblemSearches,
  stuck: Place,
): StageProblem {
  if (level === 'endless' || isEndless(text)) return toPlacedProblem('endless-jump', '', place);
  if (level === 'empty-menu') return toPlacedProblem('empty-menu', '', place);
  if (level === 'blocked') return toProblem('blocked-address', text, searches.findText(text));
  const effect = toUnknownEffect(text);
  if (effect !== null) return toProblem('script-error', `pixiPerform:${effect}`, searches.findEffect(effect));
  if (place !== null) return toPlacedProblem('script-error', text, place);
  return toProblem('script-error', text, stuck ?? searches.findExpression(text));
}
