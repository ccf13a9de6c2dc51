import { diffChars, diffWordsWithSpace } from 'diff';
import type { Hunk } from '../../../shared/model/diff.ts';
import type { ProposedFile } from '../../../shared/model/proposal.ts';
import { type StageDirection, type StoryContent, type StoryLine, toStoryLines } from './story-beats.ts';

export interface TextPart {
  text: string;
  mark: 'same' | 'added' | 'removed';
}

/**
 * A beat of the proposed story. `changed` is a reworded dialogue line with its differences in `parts`. Lines are 1-based, in
 * the proposed text; for `removed` in the current text.
 */
export interface StoryBeat {
  id: string;
  mark: 'same' | 'added' | 'removed' | 'changed';
  line: number;
  /** Source lines; several for merged stage directions. */
  lines: number[];
  content: StoryContent;
  condition: string | null;
  parts: TextPart[] | null;
}

/** A section of the story: omitted unchanged lines, context lines, or a change. */
export type StorySection =
  | { kind: 'gap'; id: string; lines: number }
  | { kind: 'context'; id: string; beats: StoryBeat[] }
  | { kind: 'change'; id: string; hunk: number; beats: StoryBeat[]; lineCount: number };

/** Number of unchanged beats shown around a change. */
const CONTEXT_BEATS = 3;
/** Number of removed lines searched for a reworded match; bounds the cost of a full rewrite. */
const MAX_LOOKAHEAD_LINES = 8;

/** Returns the sections of a proposed scene: added, removed and reworded lines with context. */
export function toStorySections(file: Pick<ProposedFile, 'before' | 'after' | 'hunks'>): StorySection[] {
  const old = toStoryLines(file.before ?? '');
  const now = toStoryLines(file.after ?? '');
  const sections: StorySection[] = [];
  let reached = 1;
  file.hunks.forEach((hunk, index) => {
    addContext(sections, now.slice(reached - 1, hunk.startNew - 1), index === 0 ? 'start' : 'between');
    sections.push({
      kind: 'change',
      id: `change-${index}`,
      hunk: index,
      beats: toChangeBeats(hunk, old, now),
      lineCount: hunk.lenNew + hunk.lenOld,
    });
    reached = hunk.startNew + hunk.lenNew;
  });
  if (file.after !== null) addContext(sections, now.slice(reached - 1), file.hunks.length === 0 ? 'all' : 'end');
  return sections;
}

function addContext(sections: StorySection[], lines: readonly (StoryLine | null)[], where: string): void {
  const told = lines.filter((line) => line !== null);
  const head = where === 'between' || where === 'end' ? CONTEXT_BEATS : where === 'all' ? told.length : 0;
  const tail = where === 'between' || where === 'start' ? CONTEXT_BEATS : 0;
  if (told.length <= head + tail) {
    addBeats(sections, told);
    return;
  }
  addBeats(sections, told.slice(0, head));
  const hidden = told.length - head - tail;
  const first = told[head];
  if (first) sections.push({ kind: 'gap', id: `gap-${first.line}`, lines: hidden });
  if (tail > 0) addBeats(sections, told.slice(-tail));
}

function addBeats(sections: StorySection[], lines: readonly StoryLine[]): void {
  const [first] = lines;
  if (!first) return;
  sections.push({
    kind: 'context',
    id: `context-${first.line}`,
    beats: mergeStage(lines.map((line) => toBeat(line, 'same'))),
  });
}

function toBeat(line: StoryLine, mark: StoryBeat['mark'], parts: TextPart[] | null = null): StoryBeat {
  const { content, condition } = line;
  return { id: `${mark}-${line.line}`, mark, line: line.line, lines: [line.line], content, condition, parts };
}

function toChangeBeats(hunk: Hunk, old: (StoryLine | null)[], now: (StoryLine | null)[]): StoryBeat[] {
  const gone = lines(old, hunk.startOld, hunk.lenOld);
  const added = lines(now, hunk.startNew, hunk.lenNew);
  const beats: StoryBeat[] = [];
  let used = 0;
  for (const line of added) {
    const partner = gone.findIndex(
      (candidate, index) => index >= used && index < used + MAX_LOOKAHEAD_LINES && isReworded(candidate, line),
    );
    if (partner < 0) {
      beats.push(toBeat(line, 'added'));
      continue;
    }
    const said = gone[partner];
    for (const removed of gone.slice(used, partner)) beats.push(toBeat(removed, 'removed'));
    used = partner + 1;
    if (said && hasSameContent(said, line)) beats.push(toBeat(line, 'same'));
    else beats.push(toBeat(line, 'changed', said ? toParts(said, line) : null));
  }
  const rest = gone.slice(used).map((line) => toBeat(line, 'removed'));
  // Without a match, removed lines precede added lines.
  const ordered = used === 0 ? [...rest, ...beats] : [...beats, ...rest];
  return mergeStage(ordered);
}

function lines(all: (StoryLine | null)[], start: number, count: number): StoryLine[] {
  return all.slice(start - 1, start - 1 + count).filter((line) => line !== null);
}

function hasSameContent(old: StoryLine, now: StoryLine): boolean {
  return JSON.stringify([old.content, old.condition]) === JSON.stringify([now.content, now.condition]);
}

/** True if the visible content is the same, or the same speaker says similar text (at least 40 % in common). */
function isReworded(old: StoryLine, now: StoryLine): boolean {
  if (hasSameContent(old, now)) return true;
  if (old.content.kind !== 'say' || now.content.kind !== 'say' || old.condition !== now.condition) return false;
  if (old.content.speaker !== now.content.speaker) return false;
  const { text } = old.content;
  const enough = Math.max(text.length, now.content.text.length) * 0.4;
  if (sharedCharacters(text, now.content.text) < enough) return false;
  const parts = compare(text, now.content.text);
  return parts.reduce((sum, part) => sum + (part.mark === 'same' ? part.text.length : 0), 0) >= enough;
}

/** Counts characters that two texts share in any order: a cheap upper bound of an ordered comparison. */
function sharedCharacters(old: string, now: string): number {
  const counts = new Map<string, number>();
  for (const character of old) counts.set(character, (counts.get(character) ?? 0) + 1);
  let shared = 0;
  for (const character of now) {
    const left = counts.get(character) ?? 0;
    if (left === 0) continue;
    shared += character.length;
    counts.set(character, left - 1);
  }
  return shared;
}

function toParts(old: StoryLine, now: StoryLine): TextPart[] | null {
  return old.content.kind === 'say' && now.content.kind === 'say' ? compare(old.content.text, now.content.text) : null;
}

/** Compares texts by word, or by character for languages without spaces between words. */
function compare(old: string, now: string): TextPart[] {
  const byCharacter = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(old + now);
  const changes = byCharacter ? diffChars(old, now) : diffWordsWithSpace(old, now);
  return changes.map(({ value, added, removed }) => ({
    text: value,
    mark: added ? 'added' : removed ? 'removed' : 'same',
  }));
}

/** Merges consecutive stage directions with the same mark and condition. */
function mergeStage(beats: readonly StoryBeat[]): StoryBeat[] {
  const merged: StoryBeat[] = [];
  for (const beat of beats) {
    const last = merged.at(-1);
    if (
      last?.content.kind === 'stage' &&
      beat.content.kind === 'stage' &&
      last.mark === beat.mark &&
      last.condition === beat.condition
    ) {
      const directions: StageDirection[] = [...last.content.directions, ...beat.content.directions];
      merged[merged.length - 1] = {
        ...last,
        lines: [...last.lines, ...beat.lines],
        content: { kind: 'stage', directions },
      };
    } else merged.push(beat);
  }
  return merged;
}
