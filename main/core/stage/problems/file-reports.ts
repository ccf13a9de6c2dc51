import type { StageProblem } from '../../../../shared/model/stage.ts';
import type { Statement } from '../../../../shared/script/syntax/scan.ts';
import { toFiles, toPlainPath } from './find-reference.ts';
import type { ProblemSearches } from './problem-searches.ts';
import { type FileFault, toFileProblem } from './to-problem.ts';

/** More than names are typed before the engine has asked for the first of them. */
const MAX_SENT = 200;

/** The files that the engine asked for and could not use. */
export interface FileReports {
  /** Records a request for a file that does not exist, or that no browser can read. Returns false if nothing changed. */
  add(path: string, fault: FileFault): boolean;
  /** Notes the statement that the engine is sent to: while it is typed, the engine asks for names that no line has any more. */
  noteSent(statement: Statement): void;
  /** Returns the files with the lines that name them, without those that only other scenes name; forgets names that were only typed. */
  list(searches: ProblemSearches): StageProblem[];
  hasAny(): boolean;
  clear(): void;
}

/** `most`: number of files that are kept. */
export function createFileReports(most: number): FileReports {
  const files = new Map<string, FileFault>();
  /** Those of them that a line named when they were listed. */
  const named = new Set<string>();
  /** Names of statements that the engine was sent to, newest last. */
  const sent = new Set<string>();
  return {
    add(path, fault) {
      if (files.size >= most || files.has(path)) return false;
      files.set(path, fault);
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
    list(searches) {
      const found: StageProblem[] = [];
      for (const [path, fault] of files) {
        const place = searches.findFile(path);
        const isElsewhere = searches.isElsewhere(path);
        if (place || isElsewhere) named.add(path);
        else if (named.delete(path) || sent.has(toPlainPath(path))) {
          // A name that was only typed on the way to another one. The engine asks for the file again if a line names it again.
          files.delete(path);
          continue;
        }
        if (place || !isElsewhere) found.push(toFileProblem(path, fault, place ?? searches.findFilled(path)));
      }
      return found;
    },
    hasAny: () => files.size > 0,
    clear() {
      files.clear();
      named.clear();
      sent.clear();
    },
  };
}
