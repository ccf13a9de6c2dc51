import type { Emit } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Diagnostic } from '../../../shared/model/diagnostic.ts';
import type { Proposal, ProposedFile } from '../../../shared/model/proposal.ts';
import type { Locale } from '../../../shared/model/text.ts';
import type { Draft, ProposalDesk } from '../areas.ts';
import type { ToolChange, ToolWritten } from '../capability/define-tool.ts';
import type { Change, Clock, Reader, Writer } from '../ports.ts';
import { checkSpelling } from './check-spelling.ts';
import { createIdempotency } from './idempotency.ts';
import { countLines, toLineDiff } from './line-diff.ts';
import { createOverlay } from './overlay.ts';

/** Problems of `after` that `before` does not have; both read the same project, once with the drafts and once without. */
export type FindNewProblems = (request: {
  before: Reader;
  after: Reader;
  paths: readonly string[];
  locale: Locale;
}) => Promise<Diagnostic[]>;

export interface ProposalDeskOptions {
  /** The disk. */
  reader: Reader;
  writer: Writer;
  findNewProblems: FindNewProblems;
  emit: Emit;
  clock: Clock;
  /** The language problems are worded in. */
  locale: () => Locale;
}

interface Session {
  id: string;
  turn: string;
  state: Proposal['state'];
  summary: string;
  newProblems: Diagnostic[];
  record: ((draft: Draft) => Promise<void>) | null;
}

/**
 * Keeps what the assistant wrote away from the disk until the writer takes it. Everything that changes the desk runs
 * one after the other, so that a draft cannot slip in between the check and the writing of an acceptance.
 */
export function createProposalDesk(options: ProposalDeskOptions): ProposalDesk {
  const { reader, writer, emit, clock } = options;
  const overlay = createOverlay(reader);
  const drafts = new Map<string, Draft>();
  const rows = new Map<string, { draft: Draft; row: Omit<ProposedFile, 'clash'> }>();
  const clashes = new Set<string>();
  const listeners = new Set<() => void>();
  const idempotency = createIdempotency<ToolWritten>();
  let session: Session | null = null;
  let queue: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = queue.then(work);
    // The failure is the caller's; the next in line must run all the same.
    queue = result.catch(() => undefined);
    return result;
  }

  function announce(): void {
    emit('proposal.changed', { proposal: current() });
    for (const listener of [...listeners]) listener();
  }

  function clear(): void {
    overlay.clear();
    drafts.clear();
    rows.clear();
    clashes.clear();
    idempotency.clear();
    session = null;
  }

  function toRow(draft: Draft): Omit<ProposedFile, 'clash'> {
    const known = rows.get(draft.path);
    if (known?.draft === draft) return known.row;
    const { hunks } = toLineDiff(draft.before, draft.text);
    const row = { path: draft.path, before: draft.before, after: draft.text, hunks, ...countLines(hunks) };
    rows.set(draft.path, { draft, row });
    return row;
  }

  function changedDrafts(): Draft[] {
    const changed = [...drafts.values()].filter((draft) => draft.text !== draft.before);
    return changed.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  function current(): Proposal | null {
    if (session === null) return null;
    const files = changedDrafts().map((draft) => ({ ...toRow(draft), clash: clashes.has(draft.path) }));
    if (files.length === 0) return null;
    const { id, turn, state, summary, newProblems } = session;
    return { id, turn, state, summary, files, newProblems };
  }

  async function place(draft: Draft): Promise<void> {
    drafts.set(draft.path, draft);
    if (draft.text === draft.before) overlay.remove(draft.path);
    else await overlay.set(draft.path, draft.text);
  }

  function lift(path: string): void {
    drafts.delete(path);
    rows.delete(path);
    clashes.delete(path);
    overlay.remove(path);
  }

  async function write(change: ToolChange): Promise<ToolWritten> {
    const open = session;
    if (open?.record == null || open.state !== 'drafting') {
      throw new AppError('E_POLICY_VIOLATION', 'Nothing can be drafted now: the assistant is not at work.');
    }
    const repeated = idempotency.find(change);
    if (repeated !== undefined) return { ...repeated, repeated: true };
    const { path, text } = change;
    if (!text.isWellFormed()) {
      throw new AppError('E_ENCODING', `The text for ${path} holds broken characters, so it was not taken.`, {
        details: { path },
        hint: 'Send the text again without lone surrogates.',
      });
    }
    const known = drafts.get(path);
    const there = await readVersioned(overlay.reader, path);
    if ((there?.version ?? null) !== change.base) throw conflict([path]);
    if (there === null) await checkSpelling(overlay.reader, path);
    const draft: Draft =
      known === undefined || known.text === known.before
        ? { path, base: change.base, before: there?.text ?? null, text }
        : { ...known, text };
    // Kept first: a draft the page can see must survive the app.
    await open.record(draft);
    if (session !== open)
      throw new AppError('E_CONFLICT', 'The proposal was thrown away meanwhile. Nothing was drafted.');
    await place(draft);
    const written = { applied: false, drafted: true };
    idempotency.keep(change, written);
    announce();
    return written;
  }

  /**
   * The base to write a draft onto: the one it was made from, or the disk's where the disk already says the same.
   * Otherwise what lies there instead, undefined when it cannot even be read.
   */
  async function look(draft: Draft): Promise<{ clash: boolean; base: string | null | undefined }> {
    try {
      const there = await readVersioned(reader, draft.path);
      const base = there?.version ?? null;
      return { clash: base !== draft.base && there?.text !== draft.text, base };
    } catch (error) {
      // What cannot be read as text is certainly not the text that was there; it counts as changed.
      if (error instanceof AppError) return { clash: true, base: undefined };
      throw error;
    }
  }

  /** Compares with the disk and keeps the flags; true when one of them turned. */
  async function compare(chosen: readonly Draft[]): Promise<boolean> {
    let turned = false;
    for (const draft of chosen) {
      const { clash } = await look(draft);
      if (clash === clashes.has(draft.path)) continue;
      turned = true;
      if (clash) clashes.add(draft.path);
      else clashes.delete(draft.path);
    }
    return turned;
  }

  async function refreshProblems(open: Session): Promise<void> {
    const paths = changedDrafts().map((draft) => draft.path);
    const locale = options.locale();
    open.newProblems =
      paths.length === 0 ? [] : await options.findNewProblems({ before: reader, after: overlay.reader, paths, locale });
  }

  const desk: ProposalDesk = {
    reader: overlay.reader,
    writer: { write: (change) => inTurn(() => write(change)) },
    texts: overlay.texts,
    current,
    begin(turn, record) {
      session =
        session === null
          ? { id: clock.id(), turn, state: 'drafting', summary: '', newProblems: [], record }
          : { ...session, turn, state: 'drafting', newProblems: [], record };
      if (drafts.size > 0) announce();
    },
    finish: (summary) =>
      inTurn(async () => {
        const open = session;
        if (open === null) return null;
        if (changedDrafts().length === 0) {
          const hadDrafts = drafts.size > 0;
          clear();
          if (hadDrafts) announce();
          return null;
        }
        await compare(changedDrafts());
        await refreshProblems(open);
        Object.assign(open, { summary, state: 'review', record: null });
        announce();
        return current();
      }),
    accept: (request, label) =>
      inTurn(async () => {
        const open = session;
        if (open === null || open.id !== request.id) {
          throw new AppError('E_NOT_FOUND', 'This proposal is no longer there.', { reason: 'proposal.gone' });
        }
        if (open.state !== 'review') {
          throw new AppError('E_CONFLICT', 'The assistant is still working on this proposal.', {
            hint: 'Wait until it has finished, or stop it.',
            reason: 'proposal.drafting',
          });
        }
        const chosen = choose(changedDrafts(), request.paths);
        const overwrite = new Set(request.overwrite ?? []);
        const changes: Change[] = [];
        const changed: string[] = [];
        for (const draft of chosen) {
          const { clash, base } = await look(draft);
          if (base === undefined || (clash && !overwrite.has(draft.path))) changed.push(draft.path);
          else {
            clashes.delete(draft.path);
            changes.push({ path: draft.path, text: draft.text, base });
          }
        }
        if (changed.length > 0) return toClash(changed);
        let written: Awaited<ReturnType<Writer['apply']>>;
        try {
          written = await writer.apply(changes, { origin: 'agent', group: label.group, title: label.title });
        } catch (error) {
          const paths = clashingPaths(error, chosen);
          if (paths === null) throw error;
          return toClash(paths);
        }
        for (const draft of chosen) lift(draft.path);
        if (changedDrafts().length === 0) clear();
        else await refreshProblems(open);
        announce();
        emit('history.changed', {});
        const files = written.map(({ path, snapshotId }) => ({ path, snapshotId }));
        return { status: 'applied', group: label.group, files };
      }),
    recheck: (paths) =>
      inTurn(async () => {
        const named = new Set(paths);
        if (await compare(changedDrafts().filter((draft) => named.has(draft.path)))) announce();
      }),
    discard() {
      const had = session !== null;
      clear();
      if (had) announce();
    },
    restore: (proposal) =>
      inTurn(async () => {
        clear();
        const { id, turn, summary } = proposal;
        const open: Session = { id, turn, state: 'review', summary, newProblems: [], record: null };
        session = open;
        for (const draft of proposal.drafts) await place(draft);
        if (changedDrafts().length === 0) clear();
        else {
          await compare(changedDrafts());
          await refreshProblems(open);
        }
        announce();
      }),
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return desk;

  function toClash(paths: string[]): { status: 'clash'; clashes: string[] } {
    for (const path of paths) clashes.add(path);
    announce();
    return { status: 'clash', clashes: paths };
  }
}

async function readVersioned(reader: Reader, path: string): Promise<{ text: string; version: string } | null> {
  return (await reader.stat(path)) === null ? null : reader.read(path);
}

function choose(drafts: readonly Draft[], paths: readonly string[] | undefined): Draft[] {
  if (paths === undefined) return [...drafts];
  const named = new Set(paths);
  const chosen = drafts.filter((draft) => named.has(draft.path));
  if (chosen.length === 0 || chosen.length !== named.size) {
    throw new AppError('E_BAD_ARGS', 'Some of these files are not part of the proposal.', { details: { paths } });
  }
  return chosen;
}

/** The files an `E_CONFLICT` of the writer is about; null for any other failure. */
function clashingPaths(error: unknown, chosen: readonly Draft[]): string[] | null {
  if (!(error instanceof AppError) || error.code !== 'E_CONFLICT') return null;
  const paths = error.details?.paths;
  const all = chosen.map((draft) => draft.path);
  const named = Array.isArray(paths) ? all.filter((path) => paths.includes(path)) : [];
  return named.length > 0 ? named : all;
}

function conflict(paths: string[]): AppError {
  return new AppError('E_CONFLICT', `${paths.join(', ')} changed since it was read. Nothing was drafted.`, {
    details: { paths },
    hint: 'Read the file again and make the change from what it holds now.',
  });
}
