import { DEPENDS, LINE, type LineRecord } from '../analyze-line.ts';
import { SAY } from '../commands.ts';
import { toFilePath } from '../file-names.ts';
import type { Reference } from '../line-report.ts';
import { Statement } from '../scan.ts';
import { buildSceneFlow, type FlowBlock, isDynamic } from './scene-flow.ts';

/** `to` of a link past the scene's last line, and of one to a label named by a variable. */
export const PAST_END = -1;
export const ANY_LABEL = -2;
/** `scene` of a link to a scene named by a variable. */
export const ANY_SCENE = '{';
/** The track of a scene without music. */
export const SILENCE = '';

/** A link out of a step. A call continues at `to` after it returns. */
export interface FlowLink {
  from: number;
  kind: 'go' | 'change' | 'call' | 'end';
  to: number;
  /** Project path, for changes and calls. */
  scene: string | null;
  /** `option`: of a menu, to an existing target. `falls`: continues with the next step. `leads`: any other. */
  how: 'option' | 'falls' | 'leads';
}

export interface FlowRead {
  step: number;
  name: string;
  role: 'condition' | 'calculation' | 'interpolation';
}

/** A figure or track that is set or removed. `isSure` is false when it has a condition. */
export interface StageChange {
  step: number;
  /** A figure's slot, or a music track. */
  name: string;
  shows: boolean;
  isSure: boolean;
}

/** What a scene means for the others, without text and line numbers, so that it is small and often unchanged. */
export interface FlowStructure {
  steps: number;
  /** 1 for each step in which the story waits or an animation takes time. */
  waits: Uint8Array;
  /** 1 for each step that is reachable from the scene's first line. */
  reached: Uint8Array;
  links: readonly FlowLink[];
  labels: readonly number[];
  /** Assigned variables, unless the value depends on the variable itself. */
  writes: readonly { step: number; name: string }[];
  /** Variables that persist between playthroughs. */
  globals: readonly string[];
  writesAnything: boolean;
  /** Variables read in a step before the step assigns them. */
  reads: readonly FlowRead[];
  figures: readonly StageChange[];
  music: readonly StageChange[];
  /** Stage changes before the first dialogue or choice. */
  lead: { changesPlace: boolean; figures: readonly string[]; setsMusic: boolean };
}

/** A scene's structure and the positions of its parts. Lines are 0-based. */
export interface FlowSummary {
  structure: FlowStructure;
  blocks: readonly { label: string | null; first: number; last: number }[];
  linkLines: Int32Array;
  /** The line of each read, and the index among the line's references. */
  readPlaces: readonly { line: number; at: number }[];
  /** The line in which the lead changes the background, otherwise the first statement. -1 in an empty scene. */
  leadLine: number;
}

/** Commands that end the lead: from here on the player has seen the stage. */
const ENDS_LEAD = new Set(['say', 'choose', 'intro', 'getUserInput', 'playVideo', 'end', 'changeScene', 'callScene']);
const TAKES_TIME = new Set(['frames', 'transform', 'animation']);

/** Summarises the control flow of a scene. Linear in its lines. */
export function summarizeFlow(records: readonly LineRecord[], version: string): FlowSummary {
  const steps = buildSceneFlow(records, version);
  const byLabel = new Map<string, number>();
  // The engine uses the last of several labels with the same name.
  for (const [step, { label }] of steps.entries()) if (label !== null) byLabel.set(label, step);
  const links: FlowLink[] = [];
  const linkLines: number[] = [];
  for (const [from, step] of steps.entries()) {
    const isCall = step.exits.some((exit) => exit.kind === 'call' && exit.condition === undefined);
    for (const exit of step.exits) {
      // After an unconditional call the story continues only when the called scene returns.
      if (isCall && exit.kind !== 'call') continue;
      links.push({ from, ...toTarget(exit, from, { byLabel, steps: steps.length }) });
      linkLines.push(exit.line);
      if (exit.kind !== 'jump' || exit.label === null || !isDynamic(exit.label)) continue;
      // Where there is no label of that name, the engine continues with the next line.
      const next = from + 1 < steps.length ? from + 1 : PAST_END;
      links.push({ from, kind: 'go', to: next, scene: null, how: 'leads' });
      linkLines.push(exit.line);
    }
  }
  const walk = new StepWalk(records, steps.length);
  for (const [step, { first, last }] of steps.entries()) walk.visit(step, first, last);
  const { waits, writes, globals, writesAnything, reads, readPlaces, figures, music, lead, leadLine } = walk;
  const labels = [...byLabel.values()];
  const reached = reachSteps({ steps: steps.length, links, labels });
  return {
    structure: {
      steps: steps.length,
      waits,
      reached,
      links,
      labels,
      writes,
      globals,
      writesAnything,
      reads,
      figures,
      music,
      lead,
    },
    blocks: steps.map(({ label, first, last }) => ({ label, first, last })),
    linkLines: Int32Array.from(linkLines),
    readPlaces,
    leadLine,
  };
}

function toTarget(
  exit: FlowBlock['exits'][number],
  from: number,
  scene: { byLabel: ReadonlyMap<string, number>; steps: number },
): Omit<FlowLink, 'from'> {
  const next = from + 1 < scene.steps ? from + 1 : PAST_END;
  const how = exit.kind === 'choose' ? 'option' : 'leads';
  if (exit.kind === 'end') return { kind: 'end', to: PAST_END, scene: null, how };
  // No target: the engine logs an error and continues.
  if (exit.scene === '' || exit.scene === 'none') return { kind: 'go', to: next, scene: null, how: 'leads' };
  if (exit.scene !== null) {
    const path = isDynamic(exit.scene) ? ANY_SCENE : toFilePath('scene', exit.scene);
    return { kind: exit.kind === 'call' ? 'call' : 'change', to: next, scene: path, how };
  }
  if (exit.label !== null && isDynamic(exit.label)) return { kind: 'go', to: ANY_LABEL, scene: null, how };
  const to = exit.label === null ? undefined : scene.byLabel.get(exit.label);
  // Missing label: the engine continues with the next line.
  return to === undefined
    ? { kind: 'go', to: next, scene: null, how: exit.label === null && how === 'leads' ? 'falls' : 'leads' }
    : { kind: 'go', to, scene: null, how };
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

/** Index of each step's first link; links are sorted by step. */
export function linksByStep({ steps, links }: Pick<FlowStructure, 'steps' | 'links'>): Int32Array {
  const starts = new Int32Array(steps + 1);
  for (const { from } of links) starts[from + 1] = (starts[from + 1] as number) + 1;
  for (let step = 0; step < steps; step += 1)
    starts[step + 1] = (starts[step + 1] as number) + (starts[step] as number);
  return starts;
}

/** Collects the effects of a scene's lines, step by step. */
class StepWalk {
  readonly waits: Uint8Array;
  readonly writes: { step: number; name: string }[] = [];
  readonly globals: string[] = [];
  writesAnything = false;
  readonly reads: FlowRead[] = [];
  readonly readPlaces: { line: number; at: number }[] = [];
  readonly figures: StageChange[] = [];
  readonly music: StageChange[] = [];
  readonly lead = { changesPlace: false, figures: [] as string[], setsMusic: false };
  leadLine = -1;
  readonly #records: readonly LineRecord[];
  #isLead = true;
  /** Variables already read or assigned in the current step. */
  readonly #own = new Set<string>();

  constructor(records: readonly LineRecord[], steps: number) {
    this.#records = records;
    this.waits = new Uint8Array(steps);
  }

  visit(step: number, first: number, last: number): void {
    if (this.#own.size > 0) this.#own.clear();
    for (let line = first; line <= last; line += 1) {
      const record = this.#records[line] as LineRecord;
      const { command, flags } = record;
      if (command === null) continue;
      if (this.leadLine < 0) this.leadLine = line;
      const isPause = (flags & LINE.pauses) !== 0 && (flags & LINE.next) === 0;
      if (isPause || TAKES_TIME.has(command.content.kind)) this.waits[step] = 1;
      if (this.#isLead && ENDS_LEAD.has(command.name)) this.#isLead = false;
      if ((record.depends & DEPENDS.variables) !== 0) this.#visitReads(record, step, line);
      if (command !== SAY) this.#visitCommand(record, step, line);
    }
  }

  #visitCommand(record: LineRecord, step: number, line: number): void {
    const isSure = (record.flags & LINE.conditional) === 0;
    switch (record.command?.name) {
      case 'setVar':
      case 'getUserInput':
        this.#visitWrite(record, step);
        return;
      case 'changeFigure':
        this.#visitFigure(record, step, isSure);
        return;
      case 'bgm':
        this.music.push({ step, name: trackOf(record), shows: true, isSure });
        if (this.#isLead && isSure) this.lead.setsMusic = true;
        return;
      case 'changeBg':
        if (!this.#isLead || this.lead.changesPlace || !isSure) return;
        this.lead.changesPlace = true;
        this.leadLine = line;
        return;
      case 'callScene':
        if (record.text.includes(' -')) this.#visitCall(record, step);
        return;
      default:
    }
  }

  /**
   * Records the first read of each variable that the step has not assigned; later reads in the step give the same
   * result.
   */
  #visitReads(record: LineRecord, step: number, line: number): void {
    const references = record.references ?? [];
    for (let at = 0; at < references.length; at += 1) {
      const { role, name, note } = references[at] as Reference;
      const isRead =
        role === 'condition' || role === 'comparison' || role === 'calculation' || role === 'interpolation';
      if (!isRead || note === 'known' || note === 'wide' || this.#own.has(name) || name.startsWith('$')) continue;
      // A dot reads a property of a value, whose existence is unknown.
      if (name.includes('.')) continue;
      this.#own.add(name);
      this.reads.push({ step, name, role: role === 'comparison' ? 'condition' : role });
      this.readPlaces.push({ line, at });
    }
  }

  #visitWrite(record: LineRecord, step: number): void {
    const references = record.references ?? [];
    const write = references.find(({ role }) => role === 'write' || role === 'input');
    if (write === undefined) {
      if (isDynamic(record.text)) this.writesAnything = true;
      return;
    }
    const { name } = write;
    // An assignment from the variable itself does not initialise it: `hp=hp+1` needs an `hp`.
    if (references.some((other) => other.role === 'calculation' && other.name === name)) return;
    if (record.text.includes('-global') && new Statement(record.text, 0, 0).argument('global')) this.globals.push(name);
    this.#own.add(name);
    // A conditional assignment may not happen, but counts as one that can.
    this.writes.push({ step, name });
  }

  /** Newer engines pass values to the called scene and return one. */
  #visitCall(record: LineRecord, step: number): void {
    for (const { name, value } of new Statement(record.text, 0, 0).arguments) {
      this.writes.push({ step, name });
      if (name === 'writeReturnTo') this.writes.push({ step, name: String(value) });
    }
  }

  #visitFigure(record: LineRecord, step: number, isSure: boolean): void {
    const id = record.references?.find(({ role }) => role === 'figure');
    const shows =
      record.references?.some(({ role, note }) => role === 'asset' && note === 'changeFigure') || hasContent(record);
    const name = id === undefined ? sideOf(record.text) : `id ${id.name}`;
    this.figures.push({ step, name, shows, isSure });
    if (this.#isLead) this.lead.figures.push(name);
  }
}

function hasContent({ text }: LineRecord): boolean {
  const { content } = new Statement(text, 0, 0);
  return content !== '' && content !== 'none';
}

/** The slot of a figure without an id. */
function sideOf(text: string): string {
  // Fast path: nearly always there is no such argument.
  if (!text.includes(' -left') && !text.includes(' -right') && !text.includes(' -id')) return 'center';
  const statement = new Statement(text, 0, 0);
  const id = statement.argument('id');
  if (id !== undefined) return `id ${String(id.value)}`;
  return statement.argument('left') ? 'left' : statement.argument('right') ? 'right' : 'center';
}

function trackOf({ references, text }: LineRecord): string {
  const file = references?.find(({ role, folder }) => role === 'asset' && folder === 'bgm');
  if (file !== undefined) return file.name;
  const { content } = new Statement(text, 0, 0);
  return content === 'none' ? SILENCE : content;
}

/** True when two summaries are equal for other scenes, regardless of line numbers. */
export function isSameStructure(one: FlowStructure, other: FlowStructure): boolean {
  return (
    one.steps === other.steps &&
    one.writesAnything === other.writesAnything &&
    one.lead.changesPlace === other.lead.changesPlace &&
    one.lead.setsMusic === other.lead.setsMusic &&
    one.waits.every((wait, step) => wait === other.waits[step]) &&
    isSameList(one.links, other.links) &&
    isSameList(one.labels, other.labels) &&
    isSameList(one.writes, other.writes) &&
    isSameList(one.globals, other.globals) &&
    isSameList(one.reads, other.reads) &&
    isSameList(one.figures, other.figures) &&
    isSameList(one.music, other.music) &&
    isSameList(one.lead.figures, other.lead.figures)
  );
}

/** Compares lists of plain values or of flat records. */
function isSameList<T extends object | string | number>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((entry, at) => isSameEntry(entry, other[at] as T));
}

function isSameEntry(one: object | string | number, other: object | string | number): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  const known = other as Record<string, unknown>;
  return Object.entries(one).every(([key, value]) => known[key] === value);
}
