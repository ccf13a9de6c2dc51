import type { StageProblem } from '../../../../shared/model/stage.ts';

type Reason = StageProblem['reason'];
type Place = StageProblem['place'];

const FOLDER_REASONS: Readonly<Record<string, Reason>> = {
  background: 'missing-background',
  figure: 'missing-figure',
  bgm: 'missing-sound',
  vocal: 'missing-sound',
  video: 'missing-video',
  scene: 'missing-scene',
};

/** Why the engine gets nothing of a file: it does not exist, or no browser can read it. */
export type FileFault = 'missing' | 'unreadable';

/** Creates the problem of a file; the reason why one is missing follows from the folder. */
export function toFileProblem(path: string, fault: FileFault, place: Place): StageProblem {
  if (fault === 'unreadable') return toProblem('unreadable-file', path, place);
  const [top, folder = ''] = path.split('/');
  const isSound = top !== 'game' && /\.(ogg|mp3|wav|m4a|flac|aac|opus)$/i.test(path);
  const reason = isSound ? 'missing-sound' : ((top === 'game' ? FOLDER_REASONS[folder] : undefined) ?? 'missing-file');
  return toProblem(reason, path, place);
}

/** Creates a problem with a sanitised subject, which may be untrusted text. */
export function toProblem(reason: Reason, subject: string, place: Place): StageProblem {
  const safe = toSafeWords(subject);
  return { id: `${reason}:${safe}`, reason, subject: safe, place };
}

/** The same for a place that the engine reported: equal problems of two lines are two. */
export function toPlacedProblem(reason: Reason, subject: string, place: Place): StageProblem {
  const problem = toProblem(reason, subject, place);
  return place === null ? problem : { ...problem, id: `${problem.id}@${place.path}:${place.line}` };
}

/** Returns whether the engine stopped a story that jumps without end (4.6). Language data: its own words. */
export function isEndless(text: string): boolean {
  return text.includes('forward 中执行的语句数量');
}

/** Language data: errors in the engine's own words that end with the file that it could not load. */
const FAILED_FILE = /[:：]\s*(?:\.\/)?(game\/[^\s{}][^{}]*\.\w+)$/;

/** Returns the file (relative to the project) that an engine says it could not load; null for other errors. */
export function toFailedFile(text: string): string | null {
  return FAILED_FILE.exec(text.trim())?.[1] ?? null;
}

/** Converts untrusted text to one line of at most 300 characters without control and bidi characters. */
export function toSafeWords(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300);
}

/** Language data: what a browser puts before the words of an exception, and the library for expressions behind them. */
const AROUND_WORDS = /^Uncaught (?:\(in promise\) )?(?:\w*Error: )?|\s*https?:\/\/errors\.angularjs\.org\/.*$/gs;

/** Returns the words of an error as one line: it can arrive by several ways, and is one problem. */
export function toErrorWords(text: string): string {
  return toSafeWords(text.replace(AROUND_WORDS, ''));
}

/** Exceptions of the engine that are caused by a script; others are faults of the engine itself. */
const SCRIPT_FAULTS = [
  /\[\$(parse|lexer):/,
  /expression compile error/,
  /Perform "[^"]*" does not have a valid callback/,
  /effects\.forEach is not a function/,
  /hasOwnProperty is not a function/,
  /\bJSON\b/,
];

export function isScriptFault(text: string): boolean {
  return SCRIPT_FAULTS.some((pattern) => pattern.test(text));
}

/** Returns the effect name of the engine's error for an unknown effect, which it reports in two different messages. */
export function toUnknownEffect(text: string): string | null {
  return /(?:the perform named|Perform) "([^"]*)"/.exec(text)?.[1] ?? null;
}
