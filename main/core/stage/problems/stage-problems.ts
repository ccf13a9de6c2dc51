import type { StageProblem } from '../../../../shared/model/stage.ts';
import type { StageTrouble } from '../../ports/stage-link.ts';
import { createFileReports, type FileReports } from './file-reports.ts';
import { createSearches, type ProblemSearches, type Suspect } from './problem-searches.ts';
import {
  type FileFault,
  isEndless,
  isScriptFault,
  toErrorWords,
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

/** Collects problems of the stage and finds the lines that cause them. */
export interface StageProblems extends Pick<FileReports, 'noteSent'> {
  /** Records a request for a file that does not exist, or that no browser can read. Returns false if nothing changed. */
  addFile(path: string, fault: FileFault): boolean;
  /** Returns false if nothing changed. */
  receive(trouble: Trouble, place?: Place): boolean;
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
  const files = createFileReports(MAX_PROBLEMS);
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
    addFile: files.add,
    noteSent: files.noteSent,
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
      for (const problem of files.list(searches)) add(problem);
      for (const trouble of listErrors(troubles, stuck, lastException)) add(toTroubleProblem(trouble, searches, stuck));
      if (stuck) add(toProblem('stuck', lastException ?? '', stuck));
      return [...found.values()].slice(0, MAX_PROBLEMS);
    },
    warnings: () => [...troubles.values()].filter(({ level }) => level === 'warning').map(({ text }) => text),
    hasFiles: files.hasAny,
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
