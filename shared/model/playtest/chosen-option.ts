import { z } from 'zod';

/**
 * An option by its text as players see it. `nth`: which of the options with this text that can be chosen, from 1; a text alone is
 * the first.
 */
export const ChosenOption = z.union([
  z.string().min(1).max(500),
  z.strictObject({ text: z.string().max(500), nth: z.int().min(1).max(100) }),
]);
export type ChosenOption = z.infer<typeof ChosenOption>;

/** An option of the menu that is shown. */
interface ShownOption {
  text: string;
  isEnabled: boolean;
}

export function toOptionText(chosen: ChosenOption): string {
  return typeof chosen === 'string' ? chosen : chosen.text;
}

/** Returns the option as it is written in a test: its text alone, unless another option has the same text or there is none. */
export function toChosenOption({ text, nth }: { text: string; nth: number }): ChosenOption {
  return nth === 1 && text.trim() !== '' ? text : { text, nth };
}

/** Returns the place of the chosen option in the menu, from 0; -1 if it cannot be chosen. Escapes and blanks do not count. */
export function findChosenOption(options: readonly ShownOption[], chosen: ChosenOption): number {
  const { text, nth } = typeof chosen === 'string' ? { text: chosen, nth: 1 } : chosen;
  const wanted = toPlain(text);
  let left = nth;
  return options.findIndex((option) => {
    if (!option.isEnabled || toPlain(option.text) !== wanted) return false;
    left -= 1;
    return left === 0;
  });
}

const toPlain = (text: string): string =>
  text
    .replace(/\\(?=[\\|:,;.])/g, '')
    .replace(/\s+/g, ' ')
    .trim();
