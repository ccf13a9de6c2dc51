import { toExactSize } from '../../exact-size.ts';
import { toFilePath } from '../project-index/file-names.ts';
import { LINE, type LineRecord } from '../syntax/analyze-line.ts';
import { isPlaceholder } from '../syntax/placeholders.ts';
import { ANY_LABEL, ANY_SCENE, type FlowLink, type FlowStructure, linksByStep, PAST_END } from './flow-structure.ts';
import { buildSceneFlow, type FlowBlock, type FlowExit, isDynamic } from './scene-flow.ts';
import { StepWalk } from './step-walk.ts';

/** A scene's structure and the positions of its parts. Lines are 0-based. */
export interface FlowSummary {
  structure: FlowStructure;
  blocks: readonly { label: string | null; first: number; last: number }[];
  linkLines: readonly number[];
  /** The line of each read, and the index among the line's references. */
  readPlaces: readonly { line: number; at: number }[];
  /** The line of each animation of a figure, and the index of the target among the line's references. */
  movePlaces: readonly { line: number; at: number }[];
  /** The line in which the lead changes the background, otherwise the first statement. -1 in an empty scene. */
  leadLine: number;
}

/** Summarises the control flow of a scene. Linear in its lines. */
export function summarizeFlow(records: readonly LineRecord[], version: string): FlowSummary {
  const steps = buildSceneFlow(records, version);
  const byLabel = new Map<string, number>();
  // The engine uses the last of several labels with the same name.
  for (let step = 0; step < steps.length; step += 1) {
    const { label } = steps[step] as FlowBlock;
    if (label !== null) byLabel.set(label, step);
  }
  const scene = { byLabel, steps: steps.length };
  const walk = new StepWalk(records, steps.length);
  for (let step = 0; step < steps.length; step += 1) {
    const { first, last } = steps[step] as FlowBlock;
    if (steps[step - 1]?.exits.at(-1)?.kind !== 'next') walk.endRun();
    walk.visit(step, first, last);
  }
  const links: FlowLink[] = [];
  const linkLines: number[] = [];
  /** The exits of a choice that is open while the story plays on, until it waits. */
  let open: readonly FlowExit[] = [];
  for (let from = 0; from < steps.length; from += 1) {
    const { exits } = steps[from] as FlowBlock;
    const isCall = exits.some(isSureCall);
    for (const exit of exits) {
      // After an unconditional call the story continues only when the called scene returns.
      if (isCall && exit.kind !== 'call') continue;
      links.push(toLink(exit, from, scene));
      linkLines.push(exit.line);
      if (exit.kind !== 'jump' || exit.label === null || !isDynamic(exit.label)) continue;
      // Where there is no label of that name, the engine continues with the next line.
      const next = from + 1 < steps.length ? from + 1 : PAST_END;
      links.push({ from, kind: 'go', to: next, scene: null, how: 'leads' });
      linkLines.push(exit.line);
    }
    for (const exit of open) {
      links.push({ ...toLink(exit, from, scene), how: 'leads' });
      linkLines.push(exit.line);
    }
    open = findOpen(exits, records) ?? (walk.waits[from] === 0 && exits.at(-1)?.kind === 'next' ? open : NONE);
  }
  const {
    waits,
    writes,
    globals,
    writesAnything,
    reads,
    readPlaces,
    figures,
    moves,
    movePlaces,
    music,
    lead,
    leadLine,
  } = walk;
  const labels = [...byLabel.values()];
  const reached = reachSteps({ steps: steps.length, links, labels });
  return {
    structure: {
      steps: steps.length,
      waits,
      reached,
      links: toExactSize(links),
      labels,
      writes: toExactSize(writes),
      globals: toExactSize(globals),
      writesAnything,
      reads: toExactSize(reads),
      figures: toExactSize(figures),
      moves: toExactSize(moves),
      music: toExactSize(music),
      lead: { ...lead, figures: toExactSize(lead.figures) },
    },
    blocks: steps.map(({ label, first, last }) => ({ label, first, last })),
    linkLines: toExactSize(linkLines),
    readPlaces: toExactSize(readPlaces),
    movePlaces: toExactSize(movePlaces),
    leadLine,
  };
}

const NONE: readonly FlowExit[] = [];

/** The exits of a choice or a change of scene that the story does not wait for; null for any other step. */
function findOpen(exits: readonly FlowExit[], records: readonly LineRecord[]): readonly FlowExit[] | null {
  if (exits.length < 2 || exits.at(-1)?.kind !== 'next') return null;
  const open = exits.filter(({ kind }) => kind === 'choose' || kind === 'change');
  const line = open[0]?.line;
  return line !== undefined && ((records[line]?.flags ?? 0) & LINE.next) !== 0 ? open : null;
}

const isSureCall = ({ kind, condition }: FlowExit) => kind === 'call' && condition === undefined;

function toLink(
  exit: FlowExit,
  from: number,
  scene: { byLabel: ReadonlyMap<string, number>; steps: number },
): FlowLink {
  const next = from + 1 < scene.steps ? from + 1 : PAST_END;
  const how = exit.kind === 'choose' ? 'option' : 'leads';
  if (exit.kind === 'end') return { from, kind: 'end', to: PAST_END, scene: null, how };
  // No target: the engine logs an error and continues.
  if (exit.scene === '' || exit.scene === 'none' || (exit.scene !== null && isPlaceholder(exit.scene)))
    return { from, kind: 'go', to: next, scene: null, how: 'leads' };
  if (exit.scene !== null) {
    const path = isDynamic(exit.scene) ? ANY_SCENE : toFilePath('scene', exit.scene);
    return { from, kind: exit.kind === 'call' ? 'call' : 'change', to: next, scene: path, how };
  }
  if (exit.label !== null && isDynamic(exit.label)) return { from, kind: 'go', to: ANY_LABEL, scene: null, how };
  const to = exit.label === null ? undefined : scene.byLabel.get(exit.label);
  // Missing label: the engine continues with the next line.
  return to === undefined
    ? { from, kind: 'go', to: next, scene: null, how: exit.label === null && how === 'leads' ? 'falls' : 'leads' }
    : { from, kind: 'go', to, scene: null, how };
}

/** Steps reachable from the first line, whatever the conditions; calls are assumed to return. */
function reachSteps(flow: Pick<FlowStructure, 'steps' | 'links' | 'labels'>): Uint8Array {
  const reached = new Uint8Array(flow.steps);
  const starts = linksByStep(flow);
  const waiting: number[] = [];
  const visit = (step: number): void => {
    if (step < 0 || reached[step] !== 0) return;
    reached[step] = 1;
    waiting.push(step);
  };
  let hasSeenLabels = false;
  if (flow.steps > 0) visit(0);
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    for (let at = starts[step] as number; at < (starts[step + 1] as number); at += 1) {
      const link = flow.links[at] as FlowLink;
      if (link.kind === 'change') continue;
      if (link.to !== ANY_LABEL) visit(link.to);
      else if (!hasSeenLabels) {
        hasSeenLabels = true;
        for (const label of flow.labels) visit(label);
      }
    }
  }
  return reached;
}

/** Maximal runs of unreachable lines, 0-based. */
export function unreachableRuns({ structure, blocks }: FlowSummary): { first: number; last: number }[] {
  const runs: { first: number; last: number }[] = [];
  for (const [step, { first, last }] of blocks.entries()) {
    if (structure.reached[step] !== 0) continue;
    const run = step > 0 && structure.reached[step - 1] === 0 ? runs.at(-1) : undefined;
    if (run === undefined) runs.push({ first, last });
    else run.last = last;
  }
  return runs;
}

/** True when the story can reach the scene's end and run past it. */
export function runsOut({ structure }: FlowSummary): boolean {
  return structure.links.some(
    ({ kind, from, to }) => (kind === 'go' || kind === 'call') && to === PAST_END && structure.reached[from] !== 0,
  );
}
