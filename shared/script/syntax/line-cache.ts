import type { Engine } from '../engine/engine.ts';
import { analyzeLine, type LineRecord } from './analyze-line.ts';

/** Powers of two. The largest suffices for the lines that a game repeats; most games need far fewer. */
const MIN_SLOTS = 128;
const MAX_SLOTS = 8192;
const MAX_LENGTH = 200;

/**
 * Cache of analysed lines, because scripts repeat lines such as `changeFigure:none -left -next;`: equal lines share one
 * record, which is stored and resolved once. Bounded and direct-mapped: a miss is cheap, and text that does not repeat
 * evicts at most one record per line.
 */
export class LineCache {
  #records: (LineRecord | undefined)[] = [];
  #used = 0;
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  read(text: string): LineRecord {
    // Dialogue rarely repeats; commands and comments begin with a lower-case ASCII letter or a semicolon.
    const first = text.charCodeAt(0);
    if (text.length > MAX_LENGTH || !((first >= 97 && first <= 122) || first === 59))
      return analyzeLine(text, this.#engine);
    if (this.#records.length === 0) this.#records = new Array(MIN_SLOTS);
    const hash = toHash(text);
    const slot = hash & (this.#records.length - 1);
    const known = this.#records[slot];
    if (known !== undefined && known.text === text) return known;
    const record = analyzeLine(text, this.#engine);
    this.#records[slot] = record;
    if (known === undefined) {
      this.#used += 1;
      if (this.#used * 2 > this.#records.length && this.#records.length < MAX_SLOTS) this.#grow();
    }
    return record;
  }

  /** Frees the memory; records stay shared where they are used. */
  clear(): void {
    this.#records = [];
    this.#used = 0;
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
