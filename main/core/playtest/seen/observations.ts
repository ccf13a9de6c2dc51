import type { Pick, PlaytestPlace } from '../../../../shared/model/playtest/picks.ts';
import type { FindingCode, PlaytestFinding } from '../../../../shared/model/playtest/report.ts';
import { START_PATH } from '../../../../shared/script/project-index/project-facts.ts';
import { toErrorWords, toFailedFile } from '../../stage/problems/to-problem.ts';
import { type RoutePart, toPath, toPlace } from '../engine-driver.ts';

/** Language data: the engine reports a scene that it could not load; the missing file is a finding of its own. */
const FAILED_SCENE = /场景调用错误/;
const BEFORE_STORY: PlaytestPlace = { path: START_PATH, line: 1 };

/** More than a user reads; each has the route that showed it. */
const MAX_FINDINGS = 2_000;

/** What went wrong while routes were played, each thing once, with the route that showed it first. */
export class Observations {
  /** By key, with its place in the list. */
  readonly #found = new Map<string, { finding: PlaytestFinding; at: number }>();
  readonly #isIdleTalk: (text: string) => boolean;

  constructor(isIdleTalk: (text: string) => boolean) {
    this.#isIdleTalk = isIdleTalk;
  }

  /** True when no more are noted: a page may report faults without end. */
  get isFull(): boolean {
    return this.#found.size >= MAX_FINDINGS;
  }

  get size(): number {
    return this.#found.size;
  }

  all(): PlaytestFinding[] {
    return [...this.#found.values()].map(({ finding }) => finding);
  }

  /** Adds what an earlier run found. */
  restore(findings: readonly PlaytestFinding[]): void {
    for (const finding of findings) this.#note(finding);
  }

  /**
   * The page does not answer any more (`no-answer`): a script of the game may run without end. Or it was ended for its memory
   * (`no-memory`), or the story could not begin anew after this route (`no-restart`).
   */
  noteEnd(code: 'no-answer' | 'no-memory' | 'no-restart', place: PlaytestPlace, picks: readonly Pick[]): void {
    this.#note({ code, severity: 'error', place, subject: '', route: [...picks] });
  }

  /** Returns the finding's place in the list of all; null where the list is full. */
  #note(finding: PlaytestFinding): number | null {
    const { code, subject, place } = finding;
    // A file is one finding, whichever lines show it. The words of an exception can contain changing numbers, and what a box hides
    // depends on the values in the text and the picture beside it.
    const isOneForLine = code === 'exception' || code === 'text-overflow';
    const parts = code === 'unreadable-file' ? [subject] : [place.path, place.line, isOneForLine ? '' : subject];
    const key = JSON.stringify([code, ...parts]);
    const known = this.#found.get(key);
    if (known) return known.at;
    if (this.isFull) return null;
    const at = this.#found.size;
    this.#found.set(key, { finding, at });
    return at;
  }

  /** Returns what the part has shown, each by its place in the list of all. */
  add(part: RoutePart, picks: readonly Pick[]): number[] {
    const noted = new Set<number>();
    const add = (finding: PlaytestFinding): void => {
      const at = this.#note(finding);
      if (at !== null) noted.add(at);
    };
    const note = (code: FindingCode, place: PlaytestPlace, subject = '') =>
      add({ code, severity: 'error', place, subject, route: [...picks] });
    const stuck = part.stop === 'stuck' ? this.#findStuck(part) : null;
    for (const { level, text, scene, line } of part.problems) {
      // The reason why a line is stuck is part of that finding.
      if (level === 'exception' && stuck?.reason === text) continue;
      if (level === 'warning' || this.#isIdleTalk(text) || FAILED_SCENE.test(text)) continue;
      const file = level === 'unreadable' ? decode(toPath(text)) : level === 'error' ? toFailedFile(text) : null;
      if (file) {
        note('unreadable-file', toPlace(scene, line), file);
        continue;
      }
      const code = level === 'error' ? 'engine-error' : level === 'blocked' ? 'blocked-address' : 'exception';
      // Scripts of the game run before its first scene.
      note(code, scene === '' ? BEFORE_STORY : toPlace(scene, line), toErrorWords(text));
    }
    for (const { scene, line, shown, hidden } of part.overflows) {
      const subject = hidden.text === '' ? shown : hidden.text;
      const finding = {
        severity: 'warning' as const,
        place: toPlace(scene, line),
        hidden: hidden.length,
        route: [...picks],
      };
      add({ code: 'text-overflow', subject, ...finding });
    }
    // The line counter of the engine is at the next line, except where a line did not end.
    const last = toPlace(part.scene, Math.max(0, part.line - 1));
    if (stuck) note('stuck-line', stuck.place, toErrorWords(stuck.reason));
    if (part.stop === 'no-answer') note('no-answer', last);
    if (part.stop === 'loop') note('endless-loop', toPlace(part.scene, part.line));
    if (part.stop === 'dead-end') note('dead-end', last);
    if (part.stop === 'no-option') note('no-option', part.choice ? toPlace(part.choice.scene, part.choice.line) : last);
    return [...noted];
  }

  /** A line whose statement throws is not passed; one that waits for ever is. */
  #findStuck({ problems, scene, line }: RoutePart): { place: PlaytestPlace; reason: string } {
    const thrown = problems.findLast((one) => one.level === 'exception' && one.scene === scene && one.line === line);
    return { place: toPlace(scene, thrown ? line : Math.max(0, line - 1)), reason: thrown?.text ?? '' };
  }
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
