import { analyzeLine, type LineRecord } from './analyze-line.ts';
import type { Engine } from './engine.ts';

/** Powers of two. The largest is enough for the commands that a game repeats; most games need far fewer. */
const FEWEST_SLOTS = 128;
const MOST_SLOTS = 8192;
const LONGEST = 200;

/**
 * Lines read before, for scripts say `changeFigure:none -left -next;` over and over: the same words make the same
 * record, which is then kept and resolved once. Holds a bounded number of lines, each in the one slot its words lead to,
 * so that a miss costs next to nothing and text that never repeats pushes out no more than it finds room for.
 */
export class LineCache {
  #records: (LineRecord | undefined)[] = new Array(FEWEST_SLOTS);
  #used = 0;
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  read(text: string): LineRecord {
    // Dialogue is said once; commands and comments start with a plain small letter or a semicolon.
    const first = text.charCodeAt(0);
    if (text.length > LONGEST || !((first >= 97 && first <= 122) || first === 59))
      return analyzeLine(text, this.#engine);
    const hash = toHash(text);
    const slot = hash & (this.#records.length - 1);
    const known = this.#records[slot];
    if (known !== undefined && known.text === text) return known;
    const record = analyzeLine(text, this.#engine);
    this.#records[slot] = record;
    if (known === undefined) {
      this.#used += 1;
      if (this.#used * 2 > this.#records.length && this.#records.length < MOST_SLOTS) this.#grow();
    }
    return record;
  }

  #grow(): void {
    const before = this.#records;
    this.#records = new Array(before.length * 4);
    this.#used = 0;
    for (const record of before) {
      if (record === undefined) continue;
      const slot = toHash(record.text) & (this.#records.length - 1);
      if (this.#records[slot] === undefined) this.#used += 1;
      this.#records[slot] = record;
    }
  }
}

function toHash(text: string): number {
  let hash = text.length;
  for (let index = 0; index < text.length; index += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  return hash ^ (hash >>> 12);
}
