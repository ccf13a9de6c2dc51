import { LINE, type LineRecord } from '../syntax/analyze-line.ts';

/**
 * Checks whether the lines between a label and a jump back to it wait or lead elsewhere. Prefix sums keep it linear.
 */
export class LoopCheck {
  readonly #records: readonly LineRecord[];
  #stops: Int32Array | null = null;

  constructor(records: readonly LineRecord[]) {
    this.#records = records;
  }

  isEndless(label: number, jump: number): boolean {
    this.#stops ??= this.#sum();
    return this.#stops[label + 1] === this.#stops[jump];
  }

  #sum(): Int32Array {
    const sums = new Int32Array(this.#records.length + 1);
    let count = 0;
    for (let line = 0; line < this.#records.length; line += 1) {
      sums[line] = count;
      const { flags, command } = this.#records[line] as LineRecord;
      const waits = (flags & LINE.pauses) !== 0 && (flags & LINE.next) === 0;
      if (command !== null && (waits || ((flags & LINE.flow) !== 0 && command.name !== 'label'))) count += 1;
      else if (
        command?.content.kind === 'frames' ||
        command?.content.kind === 'transform' ||
        command?.content.kind === 'animation'
      )
        count += 1;
    }
    sums[this.#records.length] = count;
    return sums;
  }
}
