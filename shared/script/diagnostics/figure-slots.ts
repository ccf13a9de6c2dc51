import type { FigureChange, FigureSide } from '../syntax/figure-sides.ts';

/** Figures on stage, as far as the order of lines shows. */
export class FigureSlots {
  readonly #plain = new Set<FigureSide>();
  readonly #free = new Map<string, FigureSide>();
  /** Places with a figure on every way to this line. */
  readonly #certain = new Set<FigureSide>();
  /** False while figures of an earlier scene or of another way may be there. */
  #isCenterKnown = false;

  /** The story may come here from elsewhere, or was elsewhere. */
  forget(): void {
    this.#isCenterKnown = false;
    this.#certain.clear();
  }

  /** Returns the sides where figures stay when a change removes the figure in the middle although none is there; else null. */
  leavesSides({ side, id, removes, isConditional }: FigureChange): readonly FigureSide[] | null {
    if (!removes || id !== null || isConditional || side !== 'center') return null;
    if (!this.#isCenterKnown || this.#certain.has('center') || this.#certain.size === 0) return null;
    return [...this.#free.values()].includes('center') ? null : [...this.#certain];
  }

  /** Applies a changeFigure; returns the free figure that a plain `none` does not remove. */
  visit({ side, id, removes, isConditional }: FigureChange): { id: string; side: FigureSide } | null {
    if (isConditional) {
      this.#certain.delete(side);
      if (side === 'center') this.#isCenterKnown = false;
      return null;
    }
    if (id !== null) {
      if (removes) this.#free.delete(id);
      else this.#free.set(id, side);
      return null;
    }
    if (side === 'center') this.#isCenterKnown = true;
    if (!removes) {
      this.#plain.add(side);
      this.#certain.add(side);
      return null;
    }
    this.#certain.delete(side);
    if (this.#plain.delete(side) || side === 'center') return null;
    for (const [name, place] of this.#free) if (place === side) return { id: name, side };
    return null;
  }
}
