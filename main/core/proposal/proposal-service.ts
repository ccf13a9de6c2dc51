import { createSerialQueue } from '../../../shared/async.ts';
import type { Emit, Parsed } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Diagnostic } from '../../../shared/model/diagnostic.ts';
import { toProjectPath } from '../../../shared/model/project-path.ts';
import type { AcceptResult, Proposal } from '../../../shared/model/proposal.ts';
import type { Locale } from '../../../shared/model/text.ts';
import type { ToolChange, ToolWritten } from '../capability/define-tool.ts';
import { requireOpen, requireWritable } from '../capability/policy/writable-path.ts';
import type { Clock, GameEngine, Reader, Writer, Written } from '../ports.ts';
import type { Draft, ProposalService } from '../services.ts';
import { createDraftStore, readIfThere } from './draft-store.ts';
import { type DraftedText, findNewProblems } from './find-new-problems.ts';
import { createIdempotency } from './idempotency.ts';
import { createProposalPublisher } from './proposal-publisher.ts';
import { refuseUnwritable } from './text-change.ts';
import { chooseDrafts, toConflictingPaths, toWritePlan } from './write-plan.ts';

/** Debounce of the problem check after a save of a file that the proposal was merged with. */
const PROBLEMS_DELAY_MS = 1000;
/** Number of times an acceptance merges, because a file can change between the check and the write. */
const MAX_ATTEMPTS = 3;

export interface ProposalServiceOptions {
  /** The disk. */
  reader: Reader;
  writer: Writer;
  emit: Emit;
  clock: Clock;
  /** The language of problem messages. */
  locale: () => Locale;
  /** Folders that the game's rules close. Default: none. */
  closedFolders?: () => readonly string[];
  /** The engine of the game. */
  engine?: GameEngine;
}

interface Session {
  id: string;
  turn: string;
  state: Proposal['state'];
  author: Proposal['author'];
  summary: string;
  newProblems: Diagnostic[];
  record: ((draft: Draft) => Promise<void>) | null;
}

/**
 * Stores the assistant's changes as drafts until the user accepts them. All operations that change them run in a queue,
 * so that no draft is added between the check and the write of an acceptance.
 */
export function createProposalService(options: ProposalServiceOptions): ProposalService {
  const { reader, writer, emit, clock, locale, engine, closedFolders = () => [] } = options;
  const drafts = createDraftStore(reader);
  const listeners = new Set<() => void>();
  const idempotency = createIdempotency<ToolWritten>();
  let session: Session | null = null;
  let problemTimer: ReturnType<typeof setTimeout> | undefined;
  const publisher = createProposalPublisher({ current, emit });
  const queue = createSerialQueue();

  function current(): Proposal | null {
    if (session === null) return null;
    const { id, turn, state, author, summary, newProblems } = session;
    const files = drafts.files();
    return files.length === 0 ? null : { id, turn, state, author, summary, files, newProblems };
  }

  function announce(): void {
    for (const listener of [...listeners]) listener();
    publisher.publish(session?.state === 'drafting');
  }

  function clear(): void {
    clearTimeout(problemTimer);
    drafts.clear();
    idempotency.clear();
    session = null;
  }

  async function readBelow(path: string): Promise<string | null | undefined> {
    try {
      return (await readIfThere(reader, path))?.text ?? null;
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }

  async function refreshProblems(open: Session): Promise<void> {
    const found: DraftedText[] = [];
    for (const [path, text] of drafts.laid()) found.push({ path, text, before: await readBelow(path) });
    open.newProblems = await findNewProblems({ reader: drafts.reader, drafts: found, locale: locale(), engine });
  }

  /** Debounced, because the whole game is checked. */
  function refreshProblemsSoon(): void {
    clearTimeout(problemTimer);
    problemTimer = setTimeout(() => {
      const open = session;
      void queue
        .run(async () => {
          if (open === null || session !== open || open.state !== 'review') return;
          await refreshProblems(open);
          announce();
        })
        .catch(() => undefined); // Accepting and the next draft check again.
    }, PROBLEMS_DELAY_MS);
  }

  /** Compares the drafts with the disk and merges changes. Returns true if a displayed draft changed. */
  async function refreshStandings(chosen: readonly Draft[], isDrafting = false): Promise<boolean> {
    let isNews = false;
    for (const draft of chosen) {
      const standing = await drafts.compare(draft);
      // While the assistant drafts, its text must not change between its reads and writes; `finish` merges.
      if (isDrafting && standing.kind === 'merged') continue;
      if (await drafts.setStanding(draft, standing)) isNews = true;
    }
    return isNews;
  }

  function requireDrafting(): Session & { record: NonNullable<Session['record']> } {
    if (session === null || session.record === null) {
      throw new AppError('E_POLICY_VIOLATION', 'Nothing can be drafted now: no turn is running.');
    }
    return { ...session, record: session.record };
  }

  /**
   * Throws for a draft of the assistant that no tool may write. Tools were checked when they drafted, but a draft may come
   * from a modified log, and rules and links may have changed since.
   */
  async function requireAllowed(chosen: readonly Pick<Draft, 'path' | 'text'>[]): Promise<void> {
    for (const { path, text } of chosen) {
      await requireOpen(toProjectPath(path), closedFolders(), reader);
      await requireWritable(path, reader);
      if (text !== null) refuseUnwritable(path, text);
    }
  }

  /** Validates a change against the drafted state and returns its draft without storing it. */
  async function toDraft({ path, text, base }: ToolChange): Promise<Draft> {
    if (text !== null) refuseUnwritable(path, text);
    const there = await readIfThere(drafts.reader, path);
    if ((there?.version ?? null) !== base) throw toConflict(path);
    const known = drafts.get(path);
    // A draft equal to its previous text counts as unchanged, so the next draft of the file is based on the disk.
    const isFresh = known === undefined || known.text === known.before;
    return isFresh ? { path, base, before: there?.text ?? null, text } : { ...known, text };
  }

  async function keep(draft: Draft): Promise<void> {
    const { id, record } = requireDrafting();
    // Recorded first: a draft that pages display must survive a crash.
    await record(draft);
    if (session?.id !== id) {
      throw new AppError('E_CONFLICT', 'The proposal was discarded meanwhile. Nothing was drafted.');
    }
    await drafts.put(draft);
  }

  async function write(change: ToolChange): Promise<ToolWritten> {
    requireDrafting();
    const repeated = idempotency.find(change);
    if (repeated !== undefined) return { ...repeated, repeated: true };
    await keep(await toDraft(change));
    const written = { applied: false, drafted: true };
    idempotency.keep(change, written);
    announce();
    return written;
  }

  async function writeAll(changes: readonly ToolChange[]): Promise<ToolWritten[]> {
    requireDrafting();
    const made: Draft[] = [];
    for (const change of changes) made.push(await toDraft(change));
    for (const draft of made) await keep(draft);
    announce();
    return changes.map(() => ({ applied: false, drafted: true }));
  }

  async function finish(summary: string): Promise<Proposal | null> {
    const open = session;
    if (open === null) return null;
    if (drafts.changed().length === 0) {
      const hadDrafts = drafts.size > 0;
      clear();
      if (hadDrafts) announce();
      return null;
    }
    await refreshStandings(drafts.changed());
    await refreshProblems(open);
    Object.assign(open, { summary, state: 'review', record: null });
    announce();
    return current();
  }

  async function propose(title: string, made: readonly Draft[]): Promise<void> {
    if (session !== null) {
      throw new AppError('E_CONFLICT', 'Another proposal is being drafted or reviewed.', { reason: 'proposal.waits' });
    }
    const open: Session = { ...toSession('', 'review'), author: 'user', summary: title };
    session = open;
    try {
      for (const draft of made) await drafts.put(draft);
      await settle(open);
    } catch (error) {
      // A partial proposal would block all others, and no page would show it to discard it.
      clear();
      announce();
      throw error;
    }
  }

  /** Checks a proposal that starts in review; clears it if it changes nothing. */
  async function settle(open: Session): Promise<void> {
    if (drafts.changed().length === 0) clear();
    else {
      await refreshStandings(drafts.changed());
      await refreshProblems(open);
    }
    announce();
  }

  const toSession = (turn: string, state: Proposal['state']): Session => {
    return { id: clock.id(), turn, state, author: 'assistant', summary: '', newProblems: [], record: null };
  };

  async function accept(
    request: Parsed<'proposal.accept'>,
    label: { group: string; title: string },
    keepMerged: (draft: Draft) => Promise<void> = async () => {},
  ): Promise<AcceptResult> {
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
    const chosen = chooseDrafts(drafts.changed(), request.paths);
    const overwrite = new Set(request.overwrite ?? []);
    let written: Written[] = [];
    let merged: Draft[] = [];
    for (let attempt = 1; ; attempt += 1) {
      const plan = await toWritePlan(drafts, chosen, overwrite);
      if (open.author !== 'user') await requireAllowed(plan.changes);
      if (plan.conflicts.length > 0) return toConflictResult(plan.conflicts);
      merged = plan.merged;
      for (const draft of merged) await keepMerged(draft);
      try {
        written = await writer.apply(plan.changes, {
          origin: open.author === 'user' ? 'writer' : 'agent',
          group: label.group,
          title: label.title,
        });
        break;
      } catch (error) {
        const paths = toConflictingPaths(error, chosen);
        if (paths === null) throw error;
        // Changed between the check and the write; it may still merge.
        if (attempt === MAX_ATTEMPTS) return toConflictResult(paths);
      }
    }
    const files = written.map(({ path, version, snapshotId }) => ({ path, version, snapshotId }));
    // Emitted before the reply, because the watcher reports later and the next call must read the new files.
    emit('project.filesChanged', { paths: files.map(({ path }) => path) });
    emit('history.changed', {});
    if (session?.id === open.id) {
      for (const draft of chosen) drafts.remove(draft.path);
      if (drafts.changed().length === 0) clear();
      else await refreshProblems(open);
      announce();
    }
    return { status: 'applied', group: label.group, files, merged: merged.map(({ path }) => path) };
  }

  async function toConflictResult(conflicts: readonly string[]): Promise<AcceptResult> {
    const named = new Set(conflicts);
    for (const draft of drafts.changed()) {
      if (named.has(draft.path)) await drafts.setStanding(draft, { kind: 'conflict', base: undefined });
    }
    announce();
    return { status: 'conflict', conflicts: [...conflicts] };
  }

  return {
    reader: drafts.reader,
    writer: {
      write: (change) => queue.run(() => write(change)),
      writeAll: (changes) => queue.run(() => writeAll(changes)),
    },
    texts: drafts.texts,
    current,
    begin(turn, record) {
      session =
        session === null
          ? { ...toSession(turn, 'drafting'), record }
          : { ...session, turn, state: 'drafting', newProblems: [], record };
      if (drafts.size > 0) announce();
    },
    propose: (title, made) => queue.run(() => propose(title, made)),
    finish: (summary) => queue.run(() => finish(summary)),
    accept: (request, label, keepMerged) => queue.run(() => accept(request, label, keepMerged)),
    recheck: (paths) =>
      queue.run(async () => {
        const named = new Set(paths);
        const isDrafting = session?.state === 'drafting';
        const isNews = await refreshStandings(
          drafts.changed().filter((draft) => named.has(draft.path)),
          isDrafting,
        );
        if (!isNews) return;
        announce();
        if (!isDrafting) refreshProblemsSoon();
      }),
    discard() {
      const hadSession = session !== null;
      clear();
      if (hadSession) announce();
    },
    restore: ({ id, turn, summary, drafts: kept }) =>
      queue.run(async () => {
        clear();
        await requireAllowed(kept);
        const open: Session = { ...toSession(turn, 'review'), id, summary };
        session = open;
        for (const draft of kept) await drafts.put(await drafts.trust(draft));
        await settle(open);
      }),
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function toConflict(path: string): AppError {
  return new AppError('E_CONFLICT', `${path} changed since it was read. Nothing was drafted.`, {
    details: { paths: [path] },
    hint: 'Read the file again and make the change from what it holds now.',
  });
}
