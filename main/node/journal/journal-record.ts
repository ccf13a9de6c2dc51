import { z } from 'zod';
import { WriteOrigin } from '../../../shared/model/snapshot.ts';
import { TEMP_NAME } from '../files/durable-file.ts';
import type { JournalSignature } from './journal-signature.ts';

/** A downloaded game may contain a file large enough to exhaust the memory. */
export const MAX_JOURNAL_BYTES = 192 * 1024 * 1024;
const LINE_FEED = 0x0a;

/** A temp file by name: in the app's folder, or beside its target when the target is on another disk. */
const TempFile = z.strictObject({ name: z.string().regex(TEMP_NAME), beside: z.boolean() });
export type TempFile = z.infer<typeof TempFile>;

const PatchStep = z.strictObject({ templateId: z.string(), stepId: z.string() });

/** Not strict: a field that this version does not know, in a record with the right mark, must not keep the game from opening. */
const Label = z.object({
  origin: WriteOrigin,
  group: z.string(),
  title: z.string(),
  idempotencyKey: z.string().optional(),
  patch: z.union([PatchStep, z.array(PatchStep).readonly()]).optional(),
  transaction: z.string().optional(),
  isPending: z.boolean().optional(),
  rollsBack: z.string().optional(),
});

/** One file of a transaction: enough to finish it or to undo it without any other file but `temp`. */
export const JournalEntry = z.strictObject({
  path: z.string(),
  /** The text before, or the line that stands for a picture or a sound; null: no file. */
  text: z.string().nullable(),
  /** Version before and after; null: no file. */
  before: z.string().nullable(),
  after: z.string().nullable(),
  bytes: z.int(),
  mode: z.int().nullable(),
  temp: TempFile.nullable(),
  /** Null when this write takes no snapshot of its own. */
  stamp: z.strictObject({ id: z.string(), timestamp: z.number(), order: z.number().optional() }).nullable(),
  request: z.string().optional(),
  restores: z.string().optional(),
  /**
   * The new text, and when (ns) the replaced file was last changed: such a write can be repeated from the journal alone,
   * as long as that very file exists.
   */
  redo: z.strictObject({ text: z.string(), changedAt: z.string() }).optional(),
});
export type JournalEntry = z.infer<typeof JournalEntry>;

const Owner = z.strictObject({ pid: z.int(), host: z.string() });
export type Owner = z.infer<typeof Owner>;

export const Journal = Owner.extend({
  /** Milliseconds since 1970; unique within a process. */
  at: z.number(),
  /** The id in the transaction log; absent in a record of an earlier version. */
  transaction: z.string().optional(),
  label: Label,
  entries: z.array(JournalEntry),
});
export type Journal = z.infer<typeof Journal>;

/** A journal that was found. */
export interface FoundJournal extends Journal {
  /** All files were replaced and their names synced: other texts in them now are later changes. */
  isDone: boolean;
}

/** Far above a head. A game may bring a file of a hundred megabytes without a line end. */
const MAX_HEAD_BYTES = 4096;

const Head = z.union([
  // `done` is 0 or 1, so that one byte can be overwritten. Records of older versions have none.
  z.strictObject({ v: z.literal(3), bytes: z.int().min(0), mark: z.string(), done: z.int().optional() }),
  z.strictObject({ v: z.literal(3), idle: Owner }),
]);

/**
 * Serializes a journal: a line with its length and the mark of this installation, the journal, and the mark again. Bytes
 * after that are ignored: the file may have held a longer record before.
 */
export async function toRecord(journal: Journal, signature: JournalSignature): Promise<Buffer> {
  const body = Buffer.from(JSON.stringify(journal));
  const mark = await signature.toMark(body);
  const head: z.infer<typeof Head> = { v: 3, bytes: body.length, mark, done: 0 };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body, Buffer.from(`\n${mark}\n`)]);
}

/** Returns where a record says whether it is done. */
export function findDoneFlag(record: Buffer): number {
  return record.indexOf(LINE_FEED) - '0}'.length;
}

/**
 * Returns the head that replaces a record which is no longer needed. The owner keeps other processes from removing the
 * file.
 */
export function toIdleHead(owner: Owner): Buffer {
  const head: z.infer<typeof Head> = { v: 3, idle: owner };
  return Buffer.from(`${JSON.stringify(head)}\n`);
}

/**
 * Parses a record. A torn one was still being written, so no file had been touched; a foreign one is from another
 * installation.
 */
export async function parseRecord(
  bytes: Buffer,
  signature: JournalSignature,
): Promise<FoundJournal | { idle: Owner } | 'torn' | 'foreign'> {
  const end = bytes.indexOf(LINE_FEED);
  const headBytes = end === -1 ? bytes.length : end;
  const stored = headBytes > MAX_HEAD_BYTES ? undefined : toJson(bytes.subarray(0, headBytes).toString());
  if (stored === undefined) return 'torn';
  const { data: head } = Head.safeParse(stored);
  if (!head) return 'foreign';
  if ('idle' in head) return head;
  const body = bytes.subarray(end + 1, end + 1 + head.bytes);
  const tail = bytes.subarray(end + 1 + head.bytes).toString('latin1', 0, head.mark.length + 2);
  if (tail !== `\n${head.mark}\n`) return 'torn';
  if (!(await signature.isOurs(body, head.mark))) return 'foreign';
  return { ...Journal.parse(JSON.parse(body.toString())), isDone: head.done === 1 };
}

/** Returns undefined for invalid JSON. */
function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
