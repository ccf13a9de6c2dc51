import type { Emit, Parsed } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Diagnostic } from '../../../shared/model/diagnostic.ts';
import { toProjectPath } from '../../../shared/model/project-path.ts';
import type { AcceptResult, Proposal } from '../../../shared/model/proposal.ts';
import type { Locale } from '../../../shared/model/text.ts';
import type { Draft, ProposalDesk } from '../areas.ts';
import type { ToolChange, ToolWritten } from '../capability/define-tool.ts';
import { requireOpen, requireWritable } from '../capability/policy/writable-path.ts';
import type { Clock, GameEngine, Reader, Writer, Written } from '../ports.ts';
import { createDraftStore, readIfThere } from './draft-store.ts';
import { type DraftedText, findNewProblems } from './find-new-problems.ts';
import { createIdempotency } from './idempotency.ts';
import { createProposalPublisher } from './proposal-publisher.ts';
import { refuseUnwritable } from './text-change.ts';
import { chooseDrafts, toClashingPaths, toWritePlan } from './write-plan.ts';

/** Problems are looked for anew this long after the last save of a file that the proposal was merged with. */
const PROBLEMS_AFTER_MS = 1000;
/** Times that an acceptance merges anew because a file changed between the look and the write. */
const MOST_ATTEMPTS = 3;

export interface ProposalDeskOptions {
  /** The disk. */
  reader: Reader;
  writer: Writer;
  emit: Emit;
  clock: Clock;
  /** The language problems are worded in. */
  locale: () => Locale;
  /** Folders that the game's rules close; none when left out. */
  closedFolders?: () => readonly string[];
  /** The engine the game runs on. */
  engine?: GameEngine;
}

interface Session {
  id: string;
  turn: string;
  state: Proposal['state'];
  isHers: boolean;
  summary: string;
  newProblems: Diagnostic[];
  record: ((draft: Draft) => Promise<void>) | null;
}

/**
 * Keeps what the assistant wrote away from the disk until the writer takes it. Everything that changes the desk runs
 * one after the other, so that a draft cannot slip in between the check and the writing of an acceptance.
 */
export function createProposalDesk(options: ProposalDeskOptions): ProposalDesk {
  const { reader, writer, emit, clock, locale, engine, closedFolders = () => [] } = options;
  const drafts = createDraftStore(reader);
  const listeners = new Set<() => void>();
  const idempotency = createIdempotency<ToolWritten>();
  let session: Session | null = null;
  let problemTimer: ReturnType<typeof setTimeout> | undefined;
  const publisher = createProposalPublisher({ current, emit });
  let queue: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = queue.then(work);
    // The failure is the caller's; the next in line must run all the same.
    queue = result.catch(() => undefined);
    return result;
  }

  function current(): Proposal | null {
    if (session === null) return null;
    const { id, turn, state, isHers, summary, newProblems } = session;
    const files = drafts.files();
    return files.length === 0 ? null : { id, turn, state, ...(isHers && { isHers }), summary, files, newProblems };
  }

  function announce(): void {
    for (const listener of [...listeners]) listener();
    publisher.tell(session?.state === 'drafting');
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

  /** The whole game is checked, so once for many saves in a row. */
  function refreshProblemsSoon(): void {
    clearTimeout(problemTimer);
    problemTimer = setTimeout(() => {
      const open = session;
      void inTurn(async () => {
        if (open === null || session !== open || open.state !== 'review') return;
        await refreshProblems(open);
        announce();
      }).catch(() => undefined); // Accepting and the next draft look again.
    }, PROBLEMS_AFTER_MS);
  }

  /** Looks at the disk under each draft and merges what changed there; true when that is news. */
  async function refreshStandings(chosen: readonly Draft[], isDrafting = false): Promise<boolean> {
    let isNews = false;
    for (const draft of chosen) {
      const standing = await drafts.compare(draft);
      // A text that the assistant works on is not replaced under it: it is merged when the drafting ends.
      if (isDrafting && standing.kind === 'merged') continue;
      if (await drafts.setStanding(draft, standing)) isNews = true;
    }
    return isNews;
  }

  function requireDrafting(): Session & { record: NonNullable<Session['record']> } {
    if (session === null || session.record === null) {
      throw new AppError('E_POLICY_VIOLATION', 'Nothing can be drafted now: the assistant is not at work.');
    }
    return { ...session, record: session.record };
  }

  /**
   * Throws for a draft of the assistant that no tool may write, however it came here: tools are checked when they draft,
   * a log is a file, and rules and links may have changed since.
   */
  async function requireAllowed(chosen: readonly Pick<Draft, 'path' | 'text'>[]): Promise<void> {
    for (const { path, text } of chosen) {
      await requireOpen(toProjectPath(path), closedFolders(), reader);
      await requireWritable(path, reader);
      if (text !== null) refuseUnwritable(path, text);
    }
  }

  /** Checks a change against what the assistant sees; nothing is drafted yet. */
  async function toDraft({ path, text, base }: ToolChange): Promise<Draft> {
    if (text !== null) refuseUnwritable(path, text);
    const there = await readIfThere(drafts.reader, path);
    if ((there?.version ?? null) !== base) throw toConflict(path);
    const known = drafts.get(path);
    // A file drafted back to what it was is as good as untouched: its next draft starts from the disk again.
    const isFresh = known === undefined || known.text === known.before;
    return isFresh ? { path, base, before: there?.text ?? null, text } : { ...known, text };
  }

  async function keep(draft: Draft): Promise<void> {
    const { id, record } = requireDrafting();
    // Kept first: a draft the page can see must survive the app.
    await record(draft);
    if (session?.id !== id) {
      throw new AppError('E_CONFLICT', 'The proposal was thrown away meanwhile. Nothing was drafted.');
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
      throw new AppError('E_CONFLICT', 'Another proposal is under way or waits.', { reason: 'proposal.waits' });
    }
    const open: Session = { ...toSession('', 'review'), isHers: true, summary: title };
    session = open;
    try {
      for (const draft of made) await drafts.put(draft);
      await settle(open);
    } catch (error) {
      // Half a proposal is none: it would stand in the way of every other and be on no page to be let go.
      clear();
      announce();
      throw error;
    }
  }

  /** A proposal that waits from the start is looked through; one that changes nothing is none. */
  async function settle(open: Session): Promise<void> {
    if (drafts.changed().length === 0) clear();
    else {
      await refreshStandings(drafts.changed());
      await refreshProblems(open);
    }
    announce();
  }

  const toSession = (turn: string, state: Proposal['state']): Session => {
    return { id: clock.id(), turn, state, isHers: false, summary: '', newProblems: [], record: null };
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
      if (!open.isHers) await requireAllowed(plan.changes);
      if (plan.clashes.length > 0) return toClash(plan.clashes);
      merged = plan.merged;
      for (const draft of merged) await keepMerged(draft);
      try {
        written = await writer.apply(plan.changes, {
          origin: open.isHers ? 'writer' : 'agent',
          group: label.group,
          title: label.title,
        });
        break;
      } catch (error) {
        const paths = toClashingPaths(error, chosen);
        if (paths === null) throw error;
        // Changed between the look and the write: it may still merge.
        if (attempt === MOST_ATTEMPTS) return toClash(paths);
      }
    }
    const files = written.map(({ path, version, snapshotId }) => ({ path, version, snapshotId }));
    // Before the answer: what is asked next must find the files as they are, and the watcher takes a moment.
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

  async function toClash(clashes: readonly string[]): Promise<AcceptResult> {
    const named = new Set(clashes);
    for (const draft of drafts.changed()) {
      if (named.has(draft.path)) await drafts.setStanding(draft, { kind: 'clash', base: undefined });
    }
    announce();
    return { status: 'clash', clashes: [...clashes] };
  }

  return {
    reader: drafts.reader,
    writer: {
      write: (change) => inTurn(() => write(change)),
      writeAll: (changes) => inTurn(() => writeAll(changes)),
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
    propose: (title, made) => inTurn(() => propose(title, made)),
    finish: (summary) => inTurn(() => finish(summary)),
    accept: (request, label, keepMerged) => inTurn(() => accept(request, label, keepMerged)),
    recheck: (paths) =>
      inTurn(async () => {
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
      inTurn(async () => {
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
