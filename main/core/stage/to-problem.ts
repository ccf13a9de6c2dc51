import type { StageProblem } from '../../../shared/model/stage.ts';

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

/** What a file that is not there means to her. */
export function toMissingProblem(path: string, place: Place): StageProblem {
  const [top, folder = ''] = path.split('/');
  const isSound = top !== 'game' && /\.(ogg|mp3|wav|m4a|flac|aac|opus)$/i.test(path);
  const reason = isSound ? 'missing-sound' : ((top === 'game' ? FOLDER_REASONS[folder] : undefined) ?? 'missing-file');
  return toProblem(reason, path, place);
}

/** Builds a problem whose subject is safe to show, whoever wrote it. */
export function toProblem(reason: Reason, subject: string, place: Place): StageProblem {
  const safe = toSafeWords(subject);
  return { id: `${reason}:${safe}`, reason, subject: safe, place };
}

/** Words from a game or its engine as one short line: no control signs, nothing that turns the direction of reading. */
export function toSafeWords(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300);
}

/** What the engine throws because of what stands in a script; anything else it throws is its own affair. */
const SCRIPT_FAULTS = [
  /\[\$parse:/,
  /Perform "[^"]*" does not have a valid callback/,
  /effects\.forEach is not a function/,
  /hasOwnProperty is not a function/,
  /\bJSON\b/,
];

export function isScriptFault(text: string): boolean {
  return SCRIPT_FAULTS.some((pattern) => pattern.test(text));
}

/** The name of an effect the engine says it does not know; it says so twice, in different words. */
export function toUnknownEffect(text: string): string | null {
  return /(?:the perform named|Perform) "([^"]*)"/.exec(text)?.[1] ?? null;
}
