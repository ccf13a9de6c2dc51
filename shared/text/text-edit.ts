import { z } from 'zod';

/** A replaced run of a text; `at` and `removed` count UTF-16 units of the text after the preceding edits. */
export const OffsetEdit = z.strictObject({
  at: z.number().int().nonnegative(),
  removed: z.number().int().nonnegative(),
  text: z.string(),
});
export type OffsetEdit = z.infer<typeof OffsetEdit>;

/** Applies edits. `length`: of the result. Null when an edit exceeds the text or the result has another length. */
export function applyOffsetEdits(text: string, edits: readonly OffsetEdit[], length: number): string | null {
  let edited = text;
  for (const { at, removed, text: added } of edits) {
    if (at + removed > edited.length) return null;
    edited = edited.slice(0, at) + added + edited.slice(at + removed);
  }
  return edited.length === length ? edited : null;
}
