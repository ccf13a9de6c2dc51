import { isEngineAtLeast } from '../engine/engine-version.ts';
import { LINE, type LineRecord } from '../syntax/analyze-line.ts';
import { type Choice, scanChoices } from '../syntax/choices.ts';
import { Statement } from '../syntax/scan.ts';

/** An exit from a run of lines to another place. */
export interface FlowExit {
  /** 0-based line. */
  line: number;
  kind: 'next' | 'jump' | 'choose' | 'change' | 'call' | 'end' | 'stop';
  /** A label of the scene, a scene as written, or null where `kind` suffices. With `{`, it depends on a variable. */
  label: string | null;
  scene: string | null;
  /** Label of the option. */
  text?: string;
  /** The condition on the line or the option. */
  condition?: string;
}

/** Lines that always run together: up to the next label or the next statement that can lead elsewhere. */
export interface FlowBlock {
  /** The label it begins with; null at the start of the scene and after an exit. */
  label: string | null;
  /** 0-based lines. */
  first: number;
  last: number;
  exits: readonly FlowExit[];
}

/** True for a name that contains a variable. */
export const isDynamic = (name: string) => name.includes('{');

/** Splits a scene into the shortest runs: each ends with at most one statement that leads elsewhere. Linear. */
export function buildSceneFlow(records: readonly LineRecord[], version: string): FlowBlock[] {
  const steps: { label: string | null; first: number; last: number; exits: FlowExit[] }[] = [];
  let open = { label: null as string | null, first: 0, last: -1, exits: NO_EXITS };
  const close = (line: number, next: { label: string | null; runsOn: boolean }) => {
    if (open.last >= open.first) {
      if (next.runsOn) {
        const runsOn: FlowExit = { line: open.last, kind: 'next', label: null, scene: null };
        // Not pushed: the runtime would reserve space for 17 exits in nearly every step.
        open.exits = open.exits.length === 0 ? [runsOn] : [...open.exits, runsOn];
      }
      steps.push(open);
    }
    open = { label: next.label, first: line, last: line - 1, exits: NO_EXITS };
  };
  for (let line = 0; line < records.length; line += 1) {
    const record = records[line] as LineRecord;
    if (record.command === null) continue;
    const isFlow = (record.flags & LINE.flow) !== 0;
    const label = isFlow && record.command.name === 'label' ? nameOfLabel(record) : undefined;
    if (label !== undefined) close(line, { label, runsOn: true });
    else if (open.last < open.first) open.first = line;
    open.last = line;
    if (!isFlow || label !== undefined) continue;
    const exits = exitsOf(record, line);
    open.exits = exits;
    close(line + 1, { label: null, runsOn: !closes(record, exits, version) });
  }
  close(records.length, { label: null, runsOn: true });
  const last = steps.at(-1)?.exits.at(-1);
  if (last?.kind === 'next') last.kind = 'stop';
  return steps;
}

/** Never changed: a step that gets exits gets a list of its own. */
const NO_EXITS: FlowExit[] = [];

function nameOfLabel(record: LineRecord): string | undefined {
  return record.references?.find((reference) => reference.role === 'label')?.name;
}

/** Joins steps as the story map shows them: calls and conditional exits do not split a run. */
export function joinSteps(steps: readonly FlowBlock[]): FlowBlock[] {
  const blocks: FlowBlock[] = [];
  let runsOn = false;
  for (const step of steps) {
    const last = blocks.at(-1);
    if (last !== undefined && runsOn && step.label === null) {
      const exits = last.exits.filter((exit) => exit.kind !== 'next');
      blocks[blocks.length - 1] = { ...last, last: step.last, exits: exits.concat(step.exits) };
    } else blocks.push(step);
    runsOn = step.exits.at(-1)?.kind === 'next';
  }
  return blocks;
}

/** True when the next line can only be reached through a label. */
function closes(record: LineRecord, exits: readonly FlowExit[], version: string): boolean {
  if (record.flags & LINE.conditional) return false;
  const name = record.command?.name;
  // Before 4.6.1 the engine continues after `-next` until the choice is made or the new scene is loaded.
  if (name === 'choose' || name === 'changeScene') {
    if ((record.flags & LINE.next) !== 0 && !isEngineAtLeast(version, '4.6.1')) return false;
  }
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
        const target = choice.target.trim();
        const label = choice.isScene || target === '' ? null : target;
        const scene = choice.isScene ? target : null;
        const exit: FlowExit = { line, kind: 'choose', label, scene, text: choice.label };
        const conditions = joinConditions(condition.condition, choice);
        if (conditions !== '') exit.condition = conditions;
        return exit;
      });
    default:
      return [];
  }
}

function joinConditions(own: string | undefined, { show, enable }: Choice): string {
  if (own === undefined && show === null && enable === null) return '';
  return [own, show?.text, enable?.text].filter((text) => text !== undefined).join(' && ');
}
