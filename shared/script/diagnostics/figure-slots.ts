import type { FigureChange, FigureSide } from '../syntax/figure-sides.ts';

/** Figures on stage, as far as the order of lines shows. */
export class FigureSlots {
  readonly #plain = new Set<FigureSide>();
  readonly #free = new Map<string, FigureSide>();

  /** Applies a changeFigure; returns the free figure that a plain `none` does not remove. */
  visit({ side, id, removes, isConditional }: FigureChange): { id: string; side: FigureSide } | null {
    if (isConditional) return null;
    if (id !== null) {
      if (removes) this.#free.delete(id);
      else this.#free.set(id, side);
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
