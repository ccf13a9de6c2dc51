import type { z } from 'zod';
import type { events } from '../../../../shared/contract.ts';
import type { ChatPhase } from '../../../../shared/model/chat.ts';
import type { Proposal } from '../../../../shared/model/proposal.ts';
import type { StageState } from '../../../../shared/model/stage.ts';
import { isClosed } from '../policy/closed-folders.ts';
import type { CapabilityEvent } from './event-catalog.ts';

/** Most paths that one event names. */
const MAX_PATHS = 200;
/** What the assistant does while a turn runs. */
const RUNNING: ReadonlySet<ChatPhase> = new Set<ChatPhase>(['model', 'summary', 'tool', 'consent']);

type Payload<E extends keyof typeof events> = z.output<(typeof events)[E]>;

/**
 * Returns a function that converts the app's own events, in their order, to those of the catalogue. Paths in folders that the
 * game's rules close are left out.
 */
export function createEventProjection(
  closedFolders: () => readonly string[],
): (event: string, payload: unknown) => CapabilityEvent[] {
  let stage: StageState | null = null;
  let proposal: string | null = null;
  let wasRunning = false;
  const isOpen = (path: string) => !isClosed(path, closedFolders());

  function ofProposal(now: Pick<Proposal, 'id' | 'state' | 'author'> | null, files: number): CapabilityEvent[] {
    const found: CapabilityEvent[] = [];
    const waits = now?.state === 'review' ? now : null;
    if (proposal !== null && now?.id !== proposal) {
      found.push({ id: 'agent.proposal.decided', data: { proposalId: proposal } });
      proposal = null;
    }
    if (waits && waits.id !== proposal) {
      proposal = waits.id;
      found.push({ id: 'agent.proposal.opened', data: { proposalId: waits.id, author: waits.author, files } });
    }
    return found;
  }

  function ofPhase(session: string, phase: ChatPhase): CapabilityEvent[] {
    const isRunning = RUNNING.has(phase);
    const ended = wasRunning && !isRunning;
    wasRunning = isRunning;
    return ended ? [{ id: 'agent.turn.ended', data: { session, phase } }] : [];
  }

  return (event, payload) => {
    switch (event) {
      case 'project.filesChanged': {
        const open = (payload as Payload<'project.filesChanged'>).paths.filter(isOpen);
        const paths = open.slice(0, MAX_PATHS);
        return open.length === 0
          ? []
          : [{ id: 'project.file.changed', data: { paths, more: open.length - paths.length } }];
      }
      case 'stage.changed': {
        const before = stage;
        stage = payload as StageState;
        return ofStage(before, stage, isOpen);
      }
      case 'proposal.changed': {
        const { proposal: now } = payload as Payload<'proposal.changed'>;
        return ofProposal(now, now?.files.length ?? 0);
      }
      case 'proposal.updated': {
        const { head, files } = payload as Payload<'proposal.updated'>;
        return ofProposal(head, files.length);
      }
      case 'chat.changed': {
        const { chat } = payload as Payload<'chat.changed'>;
        return chat ? ofPhase(chat.session, chat.phase) : [];
      }
      case 'chat.updated': {
        const { session, phase } = payload as Payload<'chat.updated'>;
        return ofPhase(session, phase);
      }
      default:
        return [];
    }
  };
}

/** Returns what changed from one state of the stage to the next. */
function ofStage(before: StageState | null, state: StageState, isOpen: (path: string) => boolean): CapabilityEvent[] {
  const { status, isAtPlace, place, problems } = state;
  const found: CapabilityEvent[] = [];
  const shown = place !== null && isOpen(place.path) ? place : null;
  const isOther = place?.path !== before?.place?.path;
  if (shown && isOther) found.push({ id: 'stage.scene.selected', data: { path: shown.path, line: shown.line } });
  if (isOther || before?.status !== status || before?.isAtPlace !== isAtPlace || before?.place?.line !== place?.line) {
    const data = { status, path: shown?.path ?? null, line: shown?.line ?? null, isAtPlace };
    found.push({ id: 'stage.state.changed', data });
  }
  if (problems.length !== (before?.problems.length ?? 0)) {
    found.push({ id: 'stage.problem.counted', data: { count: problems.length } });
  }
  return found;
}
