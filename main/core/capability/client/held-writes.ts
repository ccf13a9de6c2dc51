import { AppError } from '../../../../shared/errors.ts';
import { applyUnasked, findBlocked } from '../../patch/guard-writer.ts';
import { createUnaskedTexts } from '../../patch/rules/unasked-texts.ts';
import type { Reader } from '../../ports/reader.ts';
import type { GameEngine } from '../../ports/workspace.ts';
import type { Change, Snapshots, Writer } from '../../ports/writer.ts';
import { toTextVersion } from '../../text/text-version.ts';
import type { PlannedText } from '../to-change-summary.ts';

const MAX_NAMED = 10;
/** What lies beside it is no part of the story; the contract of the tools lets a client write there. */
const READ_BY_ENGINE = 'game/';
/** Writes that wait for an answer; a client asks one at a time. */
const MAX_HELD = 20;

/** A write that was refused because it needs the user's word. */
export interface HeldWrite {
  texts: readonly PlannedText[];
  /** Issues of a validation, each as `code:subject`. */
  issues: readonly string[];
}

export interface HeldWrites {
  /** Refuses what the rules of plans block and the user has not approved: `E_POLICY_VIOLATION`, reason `write.blocked`. */
  writer: Writer;
  /** Returns the write that was refused with these details, once. */
  take(details: Record<string, unknown> | undefined): HeldWrite | null;
  /** Lets exactly these texts pass until the returned function is called. */
  approve(write: HeldWrite): () => void;
}

interface HeldWritesOptions {
  writer: Writer;
  reader: Reader;
  snapshots: Pick<Snapshots, 'list' | 'read'>;
  engine: () => Promise<GameEngine | undefined>;
  canAsk: boolean;
}

/**
 * Creates the writer of one client whose user sees no review. The texts decide, as for a plan's steps; a text that the app kept of the same
 * file may always come back.
 */
export function createHeldWrites(options: HeldWritesOptions): HeldWrites {
  const { writer, reader, snapshots, engine, canAsk } = options;
  const held = new Map<string, HeldWrite>();
  const approved = new Map<string, number>();
  const unasked = createUnaskedTexts();

  /** The changes that would be written; those with another base are refused by the writer, which says so. */
  async function toOpen(changes: readonly Change[]): Promise<Map<string, string | null>> {
    const befores = new Map<string, string | null>();
    for (const { path, text, base } of changes) {
      if (!path.startsWith(READ_BY_ENGINE) || approved.has(toKey(path, text))) continue;
      const there = (await reader.stat(path)) === null ? null : await reader.read(path);
      if ((there?.version ?? null) !== base || (there?.text ?? null) === text) continue;
      befores.set(path, there?.text ?? null);
    }
    return befores;
  }

  async function requireApproved(changes: readonly Change[]): Promise<void> {
    const befores = await toOpen(changes);
    if (befores.size === 0) return;
    const open = changes.filter(({ path }) => befores.has(path));
    const blocked = await findBlocked(open, changes, { reader, engine: await engine(), unasked });
    for (const change of open)
      if (blocked.has(change.path) && (await isKept(change, snapshots))) blocked.delete(change.path);
    if (blocked.size === 0) return;
    const paths = [...blocked.keys()];
    const issues = [...blocked.values()].flat().slice(0, MAX_NAMED);
    const texts = open
      .filter(({ path }) => blocked.has(path))
      .map(({ path, text }) => ({ path, before: befores.get(path) ?? null, after: text }));
    const details = { paths: paths.slice(0, MAX_NAMED), issues };
    const key = JSON.stringify(details);
    held.delete(key);
    held.set(key, { texts, issues });
    for (const oldest of held.keys()) if (held.size > MAX_HELD) held.delete(oldest);
    throw new AppError(
      'E_POLICY_VIOLATION',
      `Not written, because it needs the user's approval: ${issues.join('; ')}.`,
      {
        details,
        hint: canAsk
          ? 'The user did not agree. Do not try the same again; ask what is wanted instead.'
          : 'This client cannot ask its user. Change the text so that none of this applies, or tell the user what it needs: they can do it in the app.',
        reason: 'write.blocked',
      },
    );
  }

  return {
    writer: {
      async apply(changes, label) {
        await requireApproved(changes);
        const agreed = changes.filter(({ path, text }) => approved.has(toKey(path, text)));
        const written = await applyUnasked(writer, { changes, label, reader, unasked });
        for (const { path } of agreed) unasked.agreed(path);
        return written;
      },
    },
    take(details) {
      const key = JSON.stringify({ paths: details?.paths, issues: details?.issues });
      const found = held.get(key) ?? null;
      held.delete(key);
      return found;
    },
    approve({ texts }) {
      const keys = texts.map(({ path, after }) => toKey(path, after));
      for (const key of keys) approved.set(key, (approved.get(key) ?? 0) + 1);
      return () => {
        for (const key of keys) {
          const left = (approved.get(key) ?? 0) - 1;
          if (left > 0) approved.set(key, left);
          else approved.delete(key);
        }
      };
    },
  };
}

function toKey(path: string, text: string | null): string {
  return JSON.stringify([path, text]);
}

/** True for a text that the app kept of the same file, or for the removal of a file that one of its writes created. */
async function isKept({ path, text }: Change, snapshots: HeldWritesOptions['snapshots']): Promise<boolean> {
  const hash = text === null ? null : (await toTextVersion(text)).version;
  for (const { id, path: of, existed, contentHash } of await snapshots.list({ pathPrefix: path })) {
    if (of !== path || existed !== (hash !== null)) continue;
    if (hash === null) return true;
    if (!hash.startsWith(contentHash)) continue;
    const kept = await snapshots.read(id).catch(() => null);
    if (kept?.text === text) return true;
  }
  return false;
}
