import { z } from 'zod';

/** A run of a text that is replaced: `at` and `removed` count UTF-16 units of the text as the edits before it left it. */
export const OffsetEdit = z.strictObject({
  at: z.number().int().nonnegative(),
  removed: z.number().int().nonnegative(),
  text: z.string(),
});
export type OffsetEdit = z.infer<typeof OffsetEdit>;

/** The text after all edits; null when they were made from another text, as far as lengths tell. `length` is that of the result. */
export function applyOffsetEdits(text: string, edits: readonly OffsetEdit[], length: number): string | null {
  let edited = text;
  for (const { at, removed, text: added } of edits) {
    if (at + removed > edited.length) return null;
    edited = edited.slice(0, at) + added + edited.slice(at + removed);
  }
  return edited.length === length ? edited : null;
}
