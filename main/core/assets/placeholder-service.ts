import type { Output, Parsed } from '../../../shared/contract.ts';
import type { ActionQueue } from '../action-queue.ts';
import type { Reader } from '../ports/reader.ts';
import type { GameEngine } from '../ports/workspace.ts';
import { readProjectIndex } from '../project/read-project-index.ts';
import type { Buffers, ProposalService } from '../services.ts';
import { type MakerPorts, makePlaceholders, toPlaceholderPlan } from './make-placeholders.ts';

/** Placeholders for the files that the game names and does not have, made for the user. */
export interface PlaceholderService {
  missing(): Promise<Output<'assets.missing'>>;
  proposePlaceholders(request: Parsed<'assets.proposePlaceholders'>): Promise<Output<'assets.proposePlaceholders'>>;
}

export interface PlaceholderServicePorts extends MakerPorts {
  /** The disk, without the proposal. */
  reader: Reader;
  buffers: Pick<Buffers, 'all'>;
  engine: GameEngine;
  proposals: Pick<ProposalService, 'propose'>;
  actions: Pick<ActionQueue, 'run'>;
}

export function createPlaceholderService(ports: PlaceholderServicePorts): PlaceholderService {
  const { reader, buffers, engine, proposals, actions } = ports;

  /** Reads the game as the user sees it: with the unsaved text of the editor. */
  async function missing(): Promise<Output<'assets.missing'>> {
    const index = await readProjectIndex(reader, engine);
    for (const [path, text] of buffers.all()) index.setText(path, text);
    return toPlaceholderPlan(index);
  }

  return {
    missing,
    async proposePlaceholders({ title }) {
      const plan = await missing();
      const { made, leftOut } = await makePlaceholders(plan, ports, new AbortController().signal);
      const drafts = made.map(({ path, text }) => ({ path, base: null, before: null, text }));
      await actions.run(() => proposals.propose(title, drafts));
      const paths = new Set(made.map(({ path }) => path));
      return { ...plan, files: plan.files.filter(({ path }) => paths.has(path)), leftOut };
    },
  };
}
