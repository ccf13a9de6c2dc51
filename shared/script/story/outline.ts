import type { ProjectIndex } from '../project-index/project-facts.ts';
import { LINE, type LineRecord } from '../syntax/analyze-line.ts';
import { Statement } from '../syntax/scan.ts';

/** Summary of a scene, for the status bar, the outline and the story view. Lines are 1-based. */
export interface SceneSummary {
  path: string;
  lines: number;
  /** Lines of dialogue. */
  dialogues: number;
  /** Words of dialogue and intro pages; each Chinese or Japanese character counts as one. */
  words: number;
  labels: readonly { name: string; line: number }[];
  /** Speakers, sorted by number of lines. */
  speakers: readonly { name: string; lines: number; words: number }[];
  choices: number;
  /** Scenes that this one leads to. */
  leadsTo: readonly { scene: string; line: number; how: 'change' | 'call' | 'choose' }[];
}

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/gu;
const WORD = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu;

/** Counts words: each wide character is one, each run of letters is one. */
export function countWords(text: string): number {
  let wide = 0;
  const rest = text.replace(WIDE, () => {
    wide += 1;
    return ' ';
  });
  return wide + (rest.match(WORD)?.length ?? 0);
}

/** Removes readings and styles: `[word](reading)` counts as its word. */
function withoutMarkup(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let open = text.indexOf(']('); open >= 0; open = text.indexOf('](', from)) {
    const close = text.indexOf(')', open);
    if (close < 0) break;
    parts.push(text.slice(from, open));
    from = close + 1;
  }
  return from === 0 ? text : [...parts, text.slice(from)].join(' ');
}

const WORDS_PER_MINUTE = 300;

/** Reading time in whole minutes, at 300 words or characters a minute. */
export function toReadingMinutes(words: number): number {
  return Math.ceil(words / WORDS_PER_MINUTE);
}

/** Longer times are told in hours. */
const MAX_MINUTES = 120;

/** Reading time as it is told: in whole minutes, or of a long story in whole hours. */
export function toReadingTime(words: number): { unit: 'minutes' | 'hours'; count: number } {
  const minutes = toReadingMinutes(words);
  if (minutes <= MAX_MINUTES) return { unit: 'minutes', count: minutes };
  return { unit: 'hours', count: Math.round(minutes / 60) };
}

/** Summarises a scene; undefined when the index has no such scene. */
export function summarizeScene(index: ProjectIndex, path: string): SceneSummary | undefined {
  const scene = index.scene(path);
  if (scene === undefined) return undefined;
  const labels: { name: string; line: number }[] = [];
  const leadsTo: { scene: string; line: number; how: 'change' | 'call' | 'choose' }[] = [];
  const speakers = new Map<string, { name: string; lines: number; words: number }>();
  let dialogues = 0;
  let words = 0;
  let choices = 0;
  let last = '';
  for (const [line, record] of scene.records.entries()) {
    if (record.command === null) continue;
    if (record.flags & LINE.flow) {
      if (record.command.name === 'choose') choices += 1;
      addPlaces(record, line + 1, { labels, leadsTo });
    }
    const isDialogue = record.command.name === 'say';
    if (!isDialogue && record.command.name !== 'intro') continue;
    const count = countWords(withoutMarkup(new Statement(record.text, line, 0).content));
    words += count;
    if (!isDialogue) continue;
    dialogues += 1;
    last = record.speaker ?? last;
    if (last === '') continue;
    const speaker = speakers.get(last) ?? { name: last, lines: 0, words: 0 };
    speaker.lines += 1;
    speaker.words += count;
    speakers.set(last, speaker);
  }
  return {
    path,
    lines: scene.records.length,
    dialogues,
    words,
    labels,
    speakers: [...speakers.values()].sort((one, other) => other.lines - one.lines),
    choices,
    leadsTo,
  };
}

function addPlaces(
  record: LineRecord,
  line: number,
  places: {
    labels: { name: string; line: number }[];
    leadsTo: { scene: string; line: number; how: 'change' | 'call' | 'choose' }[];
  },
): void {
  for (const reference of record.references ?? []) {
    if (reference.role === 'label') places.labels.push({ name: reference.name, line });
    if (reference.role !== 'scene') continue;
    const how = reference.note === 'callScene' ? 'call' : reference.note === 'choose' ? 'choose' : 'change';
    places.leadsTo.push({ scene: reference.name, line, how });
  }
}
