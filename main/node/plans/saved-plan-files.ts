import { lstat, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { MAX_SAVED_PLANS } from '../../../shared/model/plan/saved-plan.ts';
import { FOREIGN_JSON, parseBoundedJson } from '../../../shared/text/bounded-json.ts';
import type { SavedPlanFiles, StoredPlan } from '../../core/ports/stores/saved-plan-files.ts';
import { replaceFile, syncFolder, writeDurably } from '../files/durable-file.ts';
import { toIoError } from '../files/io-error.ts';
import { readPrivateFile } from '../files/private-file.ts';
import { readNames } from '../files/read-names.ts';
import type { JournalSignature } from '../journal/journal-signature.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';

const PART = 'saved-plans';
const STORED = '.json';
const DISCARDED = '.discarded';
/** Ids become file names, so only characters that are safe on every system are allowed. */
const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** Bytes that a list reads. */
const MAX_LIST_BYTES = 32 * 1024 * 1024;
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const MAX_DISCARDED = 100;

interface PlanFile {
  id: string;
  file: string;
  at: number;
  bytes: number;
}

/**
 * Creates the store of saved plans, one file each: `.webgal_agent/saved-plans/<id>.json`, the plan as one line of JSON and its mark as the
 * second line. The mark covers the id, so that a copy under another name is foreign.
 */
export function createSavedPlanFiles(
  folder: AgentFolder,
  { signature, now = Date.now }: { signature: JournalSignature; now?: () => number },
): SavedPlanFiles {
  const { listFiles, readFile, toFile, move } = createPlanFolder(folder, signature);

  /** Moves a plan that is about to be replaced to another id if someone else changed it: their words stay in the list. */
  async function setForeignAside(id: string): Promise<void> {
    const stored = await store.read(id).catch(() => ({ isForeign: true }));
    const other = `${id.slice(0, 80)}-${now().toString(36)}`;
    if (stored?.isForeign) await move({ id, end: STORED }, { id: other, end: STORED });
  }

  const discard = async (id: string): Promise<void> => {
    await move({ id, end: STORED }, { id, end: DISCARDED });
  };

  /** Discards the oldest plans above the bound, and removes what was discarded long ago. */
  async function tidy(): Promise<void> {
    for (const { id } of (await listFiles(STORED)).slice(MAX_SAVED_PLANS)) await discard(id);
    const kept = now() - KEPT_MS;
    for (const [index, { file, at }] of (await listFiles(DISCARDED)).entries()) {
      if (index >= MAX_DISCARDED || at < kept) await rm(file, { force: true });
    }
  }

  const store: SavedPlanFiles = {
    async list() {
      const files = await listFiles(STORED);
      const plans: StoredPlan[] = [];
      let left = MAX_LIST_BYTES;
      for (const each of files.slice(0, MAX_SAVED_PLANS * 2)) {
        left -= each.bytes;
        // One that cannot be read is counted, and hides no other.
        const plan = left < 0 ? null : await readFile(each).catch(() => null);
        if (plan) plans.push(plan);
      }
      return { plans, leftOut: files.length - plans.length };
    },
    async read(id) {
      const file = await toFile(id, STORED);
      const stats = file === null ? null : await lstat(file).catch(() => null);
      if (file === null || stats === null) return null;
      return readFile({ id, file, at: Math.min(stats.mtimeMs, stats.ctimeMs), bytes: stats.size });
    },
    async write(id, content) {
      const text = JSON.stringify(content);
      const bytes = Buffer.from(`${text}\n${await signature.toMark(toMarked(id, text))}\n`);
      if (bytes.length > MAX_FILE_BYTES) throw new AppError('E_TOO_LARGE', 'This plan is too large to be saved.');
      await setForeignAside(id);
      await writeDurably((await toFile(id, STORED, true)) ?? '', bytes);
      await tidy().catch(() => undefined);
    },
    discard,
    async restore(id) {
      const file = await toFile(id, STORED);
      if (file !== null && !(await isMissingFile(file))) return;
      if (await move({ id, end: DISCARDED }, { id, end: STORED })) return;
      throw new AppError('E_NOT_FOUND', 'This plan is not there any more.', { reason: 'plans.gone' });
    },
  };
  return {
    list: () => store.list().catch(rethrow),
    read: (id) => store.read(id).catch(rethrow),
    write: (id, content) => store.write(id, content).catch(rethrow),
    discard: (id) => store.discard(id).catch(rethrow),
    restore: (id) => store.restore(id).catch(rethrow),
  };
}

/** Creates access to the files in the folder of the plans. */
function createPlanFolder(folder: AgentFolder, signature: JournalSignature) {
  /** Newest first. A game can bring files with any modification time, but not with a change time. */
  async function listFiles(end: typeof STORED | typeof DISCARDED): Promise<PlanFile[]> {
    const directory = await folder.find(PART);
    if (directory === null) return [];
    const found = await Promise.all(
      readNames(directory).map(async (name): Promise<PlanFile | null> => {
        const id = name.slice(0, -end.length);
        if (!name.endsWith(end) || !ID.test(id)) return null;
        const file = path.join(directory, name);
        const stats = await lstat(file).catch(() => null);
        if (!stats) return null;
        // Discarding changes only the change time.
        const at = end === STORED ? Math.min(stats.mtimeMs, stats.ctimeMs) : stats.ctimeMs;
        return { id, file, at, bytes: stats.size };
      }),
    );
    return found.filter((one) => one !== null).sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
  }

  async function readFile({ id, file, at }: PlanFile): Promise<StoredPlan | null> {
    const bytes = await readPrivateFile(file, `${PART}/${path.basename(file)}`, { maxBytes: MAX_FILE_BYTES });
    if (bytes === null) return null;
    const [text = '', mark = ''] = bytes.toString().split('\n');
    return { id, at, content: toContent(text), isForeign: !(await signature.isOurs(toMarked(id, text), mark)) };
  }

  async function toFile(id: string, end: string, make = false): Promise<string | null> {
    if (!ID.test(id)) throw new AppError('E_BAD_ARGS', 'This is not a valid id of a plan.');
    const directory = await (make ? folder.make(PART) : folder.find(PART));
    return directory === null ? null : path.join(directory, `${id}${end}`);
  }

  async function move(from: { id: string; end: string }, to: { id: string; end: string }): Promise<boolean> {
    const [source, target] = [await toFile(from.id, from.end), await toFile(to.id, to.end)];
    if (source === null || target === null || (await isMissingFile(source))) return false;
    await replaceFile(source, target);
    await syncFolder(path.dirname(target));
    return true;
  }

  return { listFiles, readFile, toFile, move };
}

function rethrow(error: unknown): never {
  throw toIoError(error, PART);
}

/** The text that a mark stands for. */
const toMarked = (id: string, text: string): string => `saved plan ${id}\n${text}`;

function toContent(text: string): unknown {
  try {
    return parseBoundedJson(text, FOREIGN_JSON);
  } catch {
    return null;
  }
}

const isMissingFile = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => false,
    () => true,
  );
