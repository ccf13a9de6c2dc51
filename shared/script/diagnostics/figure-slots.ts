import { type FigureSide, sideOf } from '../syntax/figure-sides.ts';
import type { Statement } from '../syntax/scan.ts';

/** Figures on stage, as far as the order of lines shows. */
export class FigureSlots {
  readonly #plain = new Set<FigureSide>();
  readonly #free = new Map<string, FigureSide>();
  readonly #version: string;

  constructor(engineVersion: string) {
    this.#version = engineVersion;
  }

  /** Applies a changeFigure; returns the free figure that a plain `none` does not remove. */
  visit(statement: Statement): { id: string; side: FigureSide } | null {
    if (statement.argument('when') !== undefined) return null;
    const side = sideOf(statement, this.#version);
    const id = statement.argument('id');
    const { content } = statement;
    const removes = content === '' || content === 'none';
    if (id !== undefined) {
      const name = String(id.value);
      if (removes) this.#free.delete(name);
      else this.#free.set(name, side);
      return null;
    }
    if (!removes) {
      this.#plain.add(side);
      return null;
    }
    if (this.#plain.delete(side) || side === 'center') return null;
    for (const [name, place] of this.#free) if (place === side) return { id: name, side };
    return null;
  }
}
