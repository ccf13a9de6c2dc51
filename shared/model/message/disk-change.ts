import { z } from 'zod';

/**
 * What happened to files that a conversation knows, since it was told last. `undone`: a change that the user accepted there is not on the
 * disk any more; `again`: it is back.
 */
const DiskChangeKind = z.enum(['undone', 'again', 'changed', 'created', 'deleted']);
export type DiskChangeKind = z.infer<typeof DiskChangeKind>;

/** `restore`: undo or restore in the app; `user`: saved in the app; `assistant`: another conversation or program; `outside`: without the app. */
const DiskChangeCause = z.enum(['restore', 'user', 'assistant', 'outside']);
export type DiskChangeCause = z.infer<typeof DiskChangeCause>;

/** `paths`: the first of the `count` files. `isMedia`: pictures, sounds and other files that are not texts. */
export const DiskChangeGroup = z.object({
  kind: DiskChangeKind,
  by: DiskChangeCause,
  count: z.int().min(1),
  paths: z.array(z.string()),
  isMedia: z.boolean().optional(),
});
export type DiskChangeGroup = z.infer<typeof DiskChangeGroup>;

/** What a restore did to a file that is not a text. */
export interface MediaChange {
  path: string;
  kind: Extract<DiskChangeKind, 'created' | 'changed' | 'deleted'>;
}
