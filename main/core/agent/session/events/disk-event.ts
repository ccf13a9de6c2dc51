import { z } from 'zod';
import { DiskChangeGroup } from '../../../../../shared/model/message/disk-change.ts';

/** Lines of accepted changes that are not in the file any more; `more`: lines that are not listed. */
const LostLines = z.object({ path: z.string(), lines: z.array(z.string()), more: z.int().min(0) });
export type LostLines = z.infer<typeof LostLines>;

/**
 * The accepted changes of a file that are not on the disk now, by group or transaction; `isAll`: nothing that was accepted of it is.
 */
const UndoneChanges = z.object({ path: z.string(), changes: z.array(z.string()), isAll: z.boolean() });
export type UndoneChanges = z.infer<typeof UndoneChanges>;

/**
 * Files that the conversation knows differ from what it was told last. `turn`: the running turn, which receives it as a message; else
 * the next message carries it. `versions`: of these files on the disk now; null: no file. Without `groups` nothing is told.
 */
export const DiskEvent = z.object({
  t: z.literal('disk'),
  at: z.number(),
  id: z.string(),
  turn: z.string().optional(),
  groups: z.array(DiskChangeGroup),
  undone: z.array(UndoneChanges),
  lost: z.array(LostLines),
  versions: z.record(z.string(), z.string().nullable()),
});

/** The versions of written files on the disk, by path; null: removed. Absent in older logs. */
export const writtenVersions = z.record(z.string(), z.string().nullable()).optional().catch(undefined);
