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

/** An animation of a figure that the step itself does not show. */
export interface FigureMove {
  step: number;
  /** The figure's slot. */
  name: string;
  /** True when the step removes the figure before. */
  isGone: boolean;
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
  moves: readonly FigureMove[];
  music: readonly StageChange[];
  /** Stage changes before the first dialogue or choice. */
  lead: { changesPlace: boolean; figures: readonly string[]; setsMusic: boolean };
}

/** Index of each step's first link; links are sorted by step. */
export function linksByStep({ steps, links }: Pick<FlowStructure, 'steps' | 'links'>): Int32Array {
  const starts = new Int32Array(steps + 1);
  for (const { from } of links) starts[from + 1] = (starts[from + 1] as number) + 1;
  for (let step = 0; step < steps; step += 1)
    starts[step + 1] = (starts[step + 1] as number) + (starts[step] as number);
  return starts;
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
    isSameList(one.moves, other.moves) &&
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
