import { analyzeLine, type LineRecord } from './analyze-line.ts';
import type { Engine } from './engine.ts';

/** A power of two, and enough for the commands that a game repeats. */
const SLOTS = 4096;
const LONGEST = 200;

/**
 * Lines read before, for scripts say `changeFigure:none -left -next;` over and over: the same words make the same
 * record, which is then kept and resolved once. Holds a fixed number of lines, each in the one slot its words lead to,
 * so that a miss costs next to nothing and text that never repeats pushes out no more than it finds room for.
 */
export class LineCache {
  readonly #records: (LineRecord | undefined)[] = new Array(SLOTS);
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  read(text: string): LineRecord {
    // Dialogue is said once; commands and comments start with a plain small letter or a semicolon.
    const first = text.charCodeAt(0);
    if (text.length > LONGEST || !((first >= 97 && first <= 122) || first === 59))
      return analyzeLine(text, this.#engine);
    let hash = text.length;
    for (let index = 0; index < text.length; index += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
    const slot = (hash ^ (hash >>> 12)) & (SLOTS - 1);
    const known = this.#records[slot];
    if (known !== undefined && known.text === text) return known;
    const record = analyzeLine(text, this.#engine);
    this.#records[slot] = record;
    return record;
  }
}
