import { LINE, type LineRecord } from './analyze-line.ts';
import { scanChoices } from './choices.ts';
import { Statement } from './scan.ts';

/** A way from one stretch of a scene to another place. */
export interface FlowExit {
  /** 0-based line. */
  line: number;
  kind: 'next' | 'jump' | 'choose' | 'change' | 'call' | 'end' | 'stop';
  /** A label of the scene, a scene as written, or null where the kind says it all. */
  label: string | null;
  scene: string | null;
  /** What the option says. */
  text?: string;
  /** The condition on the line or the option. */
  condition?: string;
}

/** Lines that always run one after another: from the scene's start or a label to the next label or way out. */
export interface FlowBlock {
  /** The label it begins with; null for the start of the scene and for what follows a jump. */
  label: string | null;
  first: number;
  last: number;
  exits: readonly FlowExit[];
}

/** Cuts a scene into blocks. Linear; a block's index in the list is its name. */
export function buildSceneFlow(records: readonly LineRecord[]): FlowBlock[] {
  const blocks: { label: string | null; first: number; last: number; exits: FlowExit[] }[] = [];
  let open = { label: null as string | null, first: 0, last: -1, exits: [] as FlowExit[] };
  let isClosed = false;
  const start = (label: string | null, line: number) => {
    if (open.last >= open.first || open.exits.length > 0) {
      if (!isClosed) open.exits.push({ line: Math.max(open.last, open.first), kind: 'next', label: null, scene: null });
      blocks.push(open);
    }
    open = { label, first: line, last: line - 1, exits: [] };
    isClosed = false;
  };
  for (let line = 0; line < records.length; line += 1) {
    const record = records[line] as LineRecord;
    if (record.command === null) continue;
    const label =
      record.command.name === 'label'
        ? record.references?.find((reference) => reference.role === 'label')?.name
        : undefined;
    if (label !== undefined) start(label, line);
    else if (isClosed) start(null, line);
    open.last = line;
    if ((record.flags & LINE.flow) === 0 || label !== undefined) continue;
    const exits = exitsOf(record, line);
    open.exits.push(...exits);
    isClosed = closes(record, exits);
  }
  if (open.last >= open.first) {
    if (!isClosed) open.exits.push({ line: open.last, kind: 'stop', label: null, scene: null });
    blocks.push(open);
  }
  return blocks;
}

/** True when nothing after the line runs without a label. */
function closes(record: LineRecord, exits: readonly FlowExit[]): boolean {
  if (record.flags & LINE.conditional) return false;
  const name = record.command?.name;
  if (name === 'choose') return exits.length > 0 && exits.every((exit) => exit.label !== null || exit.scene !== null);
  return name === 'end' || name === 'changeScene' || name === 'jumpLabel';
}

function exitsOf(record: LineRecord, line: number): FlowExit[] {
  const statement = new Statement(record.text, line, 0);
  const when = statement.argument('when')?.raw;
  const condition = typeof when === 'string' ? { condition: when } : {};
  switch (record.command?.name) {
    case 'end':
      return [{ line, kind: 'end', label: null, scene: null, ...condition }];
    case 'changeScene':
      return [{ line, kind: 'change', label: null, scene: statement.content, ...condition }];
    case 'callScene':
      return [{ line, kind: 'call', label: null, scene: statement.content, ...condition }];
    case 'jumpLabel':
      return [{ line, kind: 'jump', label: statement.content, scene: null, ...condition }];
    case 'choose':
      return scanChoices(record.text, statement.contentStart, statement.contentEnd).map((choice) => {
        const conditions = [choice.show?.text, choice.enable?.text].filter((text) => text !== undefined).join(' && ');
        const target = choice.target.trim();
        return {
          line,
          kind: 'choose' as const,
          label: choice.isScene || target === '' ? null : target,
          scene: choice.isScene ? target : null,
          text: choice.label,
          ...(conditions !== '' && { condition: conditions }),
        };
      });
    default:
      return [];
  }
}

/** Blocks that can be got to from the first line of the scene, by index. */
export function reachableBlocks(blocks: readonly FlowBlock[]): Set<number> {
  const byLabel = new Map<string, number>();
  for (const [index, block] of blocks.entries()) if (block.label !== null) byLabel.set(block.label, index);
  const reached = new Set<number>();
  const waiting = blocks.length > 0 ? [0] : [];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (reached.has(at)) continue;
    reached.add(at);
    for (const exit of blocks[at]?.exits ?? []) {
      // A jump to a label that is not there goes on with the next line.
      const target = exit.label === null ? undefined : byLabel.get(exit.label);
      if (target !== undefined) waiting.push(target);
      else if (exit.kind === 'next' || exit.kind === 'jump' || (exit.kind === 'choose' && exit.scene === null))
        waiting.push(at + 1);
    }
  }
  return new Set([...reached].filter((index) => index < blocks.length));
}
