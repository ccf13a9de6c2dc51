import { DEPENDS, LINE, type LineRecord } from '../syntax/analyze-line.ts';
import { SAY } from '../syntax/commands.ts';
import type { FigureChange, FigureSide } from '../syntax/figure-sides.ts';
import type { Reference } from '../syntax/line-report.ts';
import { Statement } from '../syntax/scan.ts';
import { type FigureMove, type FlowRead, SILENCE, type StageChange } from './flow-structure.ts';
import { isDynamic } from './scene-flow.ts';

/** Commands that end the lead: from here on the player has seen the stage. */
const ENDS_LEAD = new Set(['say', 'choose', 'intro', 'getUserInput', 'playVideo', 'end', 'changeScene', 'callScene']);

/** Collects the effects of a scene's lines, step by step. */
export class StepWalk {
  readonly waits: Uint8Array;
  readonly writes: { step: number; name: string }[] = [];
  readonly globals: string[] = [];
  writesAnything = false;
  readonly reads: FlowRead[] = [];
  readonly readPlaces: { line: number; at: number }[] = [];
  readonly figures: StageChange[] = [];
  readonly moves: FigureMove[] = [];
  readonly movePlaces: { line: number; at: number }[] = [];
  readonly music: StageChange[] = [];
  readonly lead = { changesPlace: false, figures: [] as string[], setsMusic: false };
  leadLine = -1;
  readonly #records: readonly LineRecord[];
  #isLead = true;
  /** Index of the first move since the story last waited: a figure that is shown before it waits again is there in time. */
  #freshMoves = 0;
  /** Variables already read or assigned in the current step; null in a scene that reads none. */
  readonly #own: Set<string> | null;

  constructor(records: readonly LineRecord[], steps: number) {
    this.#records = records;
    this.waits = new Uint8Array(steps);
    this.#own = records.some(({ depends }) => (depends & DEPENDS.variables) !== 0) ? new Set() : null;
  }

  /** Reports that what follows is only reached from elsewhere. */
  endRun(): void {
    this.#freshMoves = this.moves.length;
  }

  visit(step: number, first: number, last: number): void {
    if (this.#own !== null && this.#own.size > 0) this.#own.clear();
    for (let line = first; line <= last; line += 1) {
      const record = this.#records[line] as LineRecord;
      const { command, flags } = record;
      if (command === null) continue;
      if (this.leadLine < 0) this.leadLine = line;
      const isPause = (flags & LINE.pauses) !== 0 && (flags & LINE.next) === 0;
      const { kind } = command.content;
      const takesTime = kind === 'frames' || kind === 'transform' || kind === 'animation';
      if (isPause || takesTime) this.waits[step] = 1;
      if (isPause) this.endRun();
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
      case 'setAnimation':
      case 'setTempAnimation':
        this.#visitMove(record, step, line);
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
      if (!isRead || note === 'known' || note === 'wide' || this.#own?.has(name) || name.startsWith('$')) continue;
      // A dot reads a property of a value, whose existence is unknown.
      if (name.includes('.')) continue;
      this.#own?.add(name);
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
    this.#own?.add(name);
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
    const { figure, references } = record;
    if (figure === null) return;
    const id = references?.find(({ role }) => role === 'figure');
    const shows = !figure.removes || references?.some(({ role, note }) => role === 'asset' && note === 'changeFigure');
    const name = id === undefined ? slotOf(figure) : `id ${id.name}`;
    this.figures.push({ step, name, shows: shows === true, isSure });
    if (this.#isLead) this.lead.figures.push(name);
    if (shows !== true) return;
    for (let at = this.moves.length - 1; at >= this.#freshMoves; at -= 1) {
      if (this.moves[at]?.name !== name) continue;
      this.moves.splice(at, 1);
      this.movePlaces.splice(at, 1);
    }
  }

  /** Records an animation of a figure, unless the step shows that figure. A transform is left out: a later figure may take it over. */
  #visitMove(record: LineRecord, step: number, line: number): void {
    const at = record.references?.findIndex(({ role }) => role === 'target') ?? -1;
    const target = record.references?.[at]?.name;
    if (target === undefined || target === 'bg-main' || target === 'stage-main' || isDynamic(target)) return;
    const isPlace = target === 'fig-left' || target === 'fig-center' || target === 'fig-right';
    const name = isPlace ? target.slice('fig-'.length) : `id ${target}`;
    let isGone = false;
    for (let index = this.figures.length - 1; this.figures[index]?.step === step; index -= 1) {
      const change = this.figures[index] as StageChange;
      if (change.name !== name) continue;
      if (change.shows) return;
      if (!change.isSure) continue;
      isGone = true;
      break;
    }
    this.moves.push({ step, name, isGone });
    this.movePlaces.push({ line, at });
  }
}

/** The slot of a figure: its id or its place. */
function slotOf({ id, side }: FigureChange): FigureSide | `id ${string}` {
  return id === null ? side : `id ${id}`;
}

function trackOf({ references, text }: LineRecord): string {
  const file = references?.find(({ role, folder }) => role === 'asset' && folder === 'bgm');
  if (file !== undefined) return file.name;
  const { content } = new Statement(text, 0, 0);
  return content === 'none' ? SILENCE : content;
}
