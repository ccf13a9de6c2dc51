import { hash } from 'node:crypto';
import { isAssetName, parseAssetText } from '../../../shared/model/asset/asset.ts';
import type { Transaction, TransactionStatus } from '../../../shared/model/transactions/transaction.ts';
import type { Change, PatchStep } from '../../core/ports/writer.ts';
import type { Journal } from '../journal/journal-record.ts';
import type { FailedWrite, FinishedFile, FinishedTransaction } from './finished-transaction.ts';

/** Limits of the line, so that no caller can make the log unreadable. */
const MAX_TITLE = 500;
const MAX_ID = 500;
const MAX_STEPS = 1000;
const MAX_PATH = 4096;
const CONTENT_HASH = /^[0-9a-f]{64}$/;

type FileChange = Pick<FinishedFile, 'path' | 'before' | 'after' | 'bytes'>;

/** The fields of a label that the log records. */
type LoggedLabel = Pick<Journal['label'], 'origin' | 'group' | 'title' | 'patch' | 'rollsBack'>;

/** Returns the first line of a transaction that wrote, or that a recovery took back. */
export function toLine(done: FinishedTransaction): Transaction {
  const status = done.outcome === 'rolled_back' ? done.outcome : done.label.isPending ? 'pending' : 'applied';
  const line = toEmptyLine(done.id, status, { label: done.label, files: done.files });
  // A recovery has removed the snapshots of what it took back.
  if (done.outcome === 'applied') line.undo_patch.commands = done.files.map(toUndo);
  if (done.isRecovered) line.metadata.recovered = true;
  return line;
}

export function toFailedLine({ id, label, code, files }: FailedWrite): Transaction {
  const line = toEmptyLine(id, 'failed', { label, files });
  line.metadata.code = code;
  return line;
}

export function toValidatedLine(id: string, label: LoggedLabel, changes: readonly Change[]): Transaction {
  return toEmptyLine(id, 'validated', { label, files: changes.map(toFileChange) });
}

/** Returns what a change asks for. */
export function toFileChange({ path, text, base }: Change): FileChange {
  const asset = text !== null && isAssetName(path) ? parseAssetText(text) : null;
  if (asset) return { path, before: base, after: asset.id, bytes: asset.bytes };
  const bytes = text === null ? null : Buffer.from(text);
  return { path, before: base, after: bytes && hash('sha256', bytes, 'hex'), bytes: bytes?.length ?? 0 };
}

/** Returns the line that gives a transaction another status. `by`: the transaction whose write did so. */
export function toStatusLine(line: Transaction, status: TransactionStatus, by?: string): Transaction {
  const { by: _by, ...metadata } = line.metadata;
  return {
    ...line,
    status,
    created_at: toNow(),
    metadata: { ...metadata, follows: true, ...(by !== undefined && { by }) },
  };
}

/** Returns the line of a transaction whose editing session wrote on. */
export function toContinuedLine(line: Transaction, { after, bytes }: FileChange): Transaction {
  const commands = line.commands.map((command) => ({
    ...command,
    after,
    bytes,
    op: toOperation(command.before, after),
  }));
  const undo = line.undo_patch.commands.map((command) => ({ ...command, op: toOperation(after, command.text) }));
  return { ...line, commands, undo_patch: { commands: undo }, created_at: toNow() };
}

function toEmptyLine(
  id: string,
  status: TransactionStatus,
  { label, files }: { label: LoggedLabel; files: readonly FileChange[] },
): Transaction {
  const steps = [label.patch ?? []].flat().slice(0, MAX_STEPS).map(toStep);
  return {
    patch_id: id,
    template_id: steps[0]?.template_id ?? null,
    step_id: steps[0]?.step_id ?? null,
    commands: files.map(toCommand),
    undo_patch: { commands: [] },
    status,
    created_at: toNow(),
    metadata: {
      origin: label.origin,
      group: label.group.slice(0, MAX_ID),
      title: label.title.slice(0, MAX_TITLE),
      ...(steps.length > 1 && { steps }),
      ...(label.rollsBack !== undefined && { rolls_back: label.rollsBack }),
    },
  };
}

function toCommand({ path, before: base, after, bytes }: FileChange): Transaction['commands'][number] {
  // The base of a refused write may be anything.
  const before = base !== null && CONTENT_HASH.test(base) ? base : null;
  return { op: toOperation(base, after), path: path.slice(0, MAX_PATH), before, after, bytes };
}

function toStep({ templateId, stepId }: PatchStep): { template_id: string; step_id: string } {
  return { template_id: templateId.slice(0, MAX_ID), step_id: stepId.slice(0, MAX_ID) };
}

function toUndo({ path, before, after, snapshot }: FinishedFile): Transaction['undo_patch']['commands'][number] {
  return { op: toOperation(after, before), path, text: before, snapshot };
}

function toOperation(before: string | null, after: string | null): Transaction['commands'][number]['op'] {
  return after === null ? 'delete' : before === null ? 'create' : 'write';
}

function toNow(): string {
  return new Date().toISOString();
}
