import { toExactSize } from '../../exact-size.ts';
import { type DiagnosticMessage, say } from '../../i18n/diagnostics.ts';
import { findNearNames } from '../project-index/near-names.ts';
import { LINE, type LineRecord } from '../syntax/analyze-line.ts';
import type { FigureChange, FigureSide } from '../syntax/figure-sides.ts';
import type { Finding, PlacedFinding, Reference } from '../syntax/line-report.ts';
import { replaceFix } from '../syntax/line-report.ts';
import { Statement } from '../syntax/scan.ts';
import { FigureSlots } from './figure-slots.ts';
import { LoopCheck } from './loop-check.ts';

/** Facts and findings about a scene as a whole. */
export interface SceneShape {
  findings: readonly PlacedFinding[];
  /** Label → its last line, to which the engine jumps. */
  labels: ReadonlyMap<string, number>;
  /** The last line with a statement, -1 in an empty scene; `hangs` is true when the story can stop there. */
  lastLine: number;
  hangs: boolean;
  firstDialogue: number;
  /** Jumps to a missing label: the project may contain a scene of that name. */
  brokenJumps: readonly { line: number; reference: Reference }[];
}

/** Limits the searches for near names in one scene. */
const MAX_SEARCHES = 50;

/** Applies the rules about a scene's lines together. Linear in the number of lines. */
export function shapeScene(records: readonly LineRecord[]): SceneShape {
  const walk = new SceneWalk(records);
  for (let line = 0; line < records.length; line += 1) {
    const record = records[line] as LineRecord;
    if (record.command !== null) walk.visit(record, line);
  }
  return walk.finish();
}

/** A target after a colon that contains a variable. */
const DYNAMIC_TARGET = /^[^;]*?:[^|:;]*(?<!\\)\{[^|:;]*(?:\||;|$| -)/;

/** Shared by all scenes without labels: even an empty map needs memory. */
const NO_LABELS: ReadonlyMap<string, number> = new Map();

class SceneWalk {
  readonly #records: readonly LineRecord[];
  readonly #findings: PlacedFinding[] = [];
  readonly #labels = new Map<string, number>();
  readonly #labelLines: number[] = [];
  /** All lines of the labels that occur more than once. */
  readonly #repeated = new Map<string, number[]>();
  readonly #jumps: { line: number; reference: Reference; record: LineRecord }[] = [];
  readonly #figures = new FigureSlots();
  #firstDialogue = -1;
  #openNotend = -1;
  #lastLine = -1;
  #hangs = false;
  /** True when a jump's target contains a variable: it can be any label. */
  #jumpsAnywhere = false;

  /** A removal without effect, until the next words or the next removal. */
  #kept: { line: number; sides: readonly FigureSide[] } | null = null;

  constructor(records: readonly LineRecord[]) {
    this.#records = records;
  }

  visit(record: LineRecord, line: number): void {
    const { flags } = record;
    this.#lastLine = line;
    this.#hangs = true;
    if (flags & LINE.flow) this.#visitFlow(record, line);
    if (flags & LINE.figure) this.#visitFigure(record, line);
    const name = record.command?.name;
    if (name === 'label' || name === 'callScene') this.#figures.forget();
    if (name === 'say') {
      this.#tellKept();
      this.#visitDialogue(record, line);
    }
  }

  #visitDialogue(record: LineRecord, line: number): void {
    const { flags } = record;
    if (this.#firstDialogue < 0) {
      this.#firstDialogue = line;
      if (flags & LINE.concat) this.#addArgument('concat-first', line, 'concat');
    }
    if (this.#openNotend >= 0 && (flags & LINE.concat) === 0)
      this.#addArgument('notend-alone', this.#openNotend, 'notend');
    this.#openNotend = flags & LINE.notend ? line : -1;
  }

  #addArgument(code: 'concat-first' | 'notend-alone', line: number, name: string): void {
    const argument = new Statement(this.#records[line]?.text ?? '', line, 0).argument(name);
    if (argument === undefined) return;
    this.#add(line, {
      code,
      start: argument.nameStart - 1,
      end: argument.nameEnd,
      ...(code === 'concat-first' && {
        fixes: [replaceFix(Math.max(0, argument.nameStart - 2), argument.nameEnd, '')],
      }),
    });
  }

  #visitFlow(record: LineRecord, line: number): void {
    const isConditional = (record.flags & LINE.conditional) !== 0;
    const name = record.command?.name;
    for (const reference of record.references ?? []) {
      if (reference.role === 'label') {
        this.#addLabel(reference.name, line);
      } else if (reference.role === 'jump') {
        this.#jumps.push({ line, reference, record });
      }
    }
    if (name === 'jumpLabel' || name === 'choose') this.#jumpsAnywhere ||= DYNAMIC_TARGET.test(record.text);
    if (name === 'choose') this.#hangs = isConditional;
    if (isConditional || name === 'label' || name === 'callScene' || name === 'choose') return;
    this.#hangs = false;
  }

  #addLabel(name: string, line: number): void {
    const before = this.#labels.get(name);
    this.#labels.set(name, line);
    this.#labelLines.push(line);
    if (before === undefined) return;
    const lines = this.#repeated.get(name);
    if (lines === undefined) this.#repeated.set(name, [before, line]);
    else lines.push(line);
  }

  /** Removing the figure in the middle changes nothing; told if no other change removes those at the sides before the next words. */
  #watchSides(change: FigureChange, line: number): void {
    if (this.#kept && change.removes && this.#kept.sides.includes(change.side)) this.#kept = null;
    const sides = this.#figures.leavesSides(change);
    if (sides !== null) this.#kept = { line, sides };
  }

  #tellKept(): void {
    if (this.#kept === null) return;
    const { line, sides } = this.#kept;
    this.#kept = null;
    const { contentStart, contentEnd } = new Statement(this.#records[line]?.text ?? '', line, 0);
    const [only] = sides;
    this.#add(line, {
      code: 'empty-place-closed',
      start: contentStart,
      end: Math.max(contentEnd, contentStart + 1),
      values: { sides: sides.map((side) => SIDES[side]) },
      ...(sides.length === 1 && {
        fixes: [
          {
            title: say('fixes.addSide', { side: only ?? '' }),
            edits: [{ start: contentEnd, end: contentEnd, text: ` -${only}` }],
          },
        ],
      }),
    });
  }

  #visitFigure(record: LineRecord, line: number): void {
    if (record.figure !== null) this.#watchSides(record.figure, line);
    const left = record.figure === null ? null : this.#figures.visit(record.figure);
    if (left === null) return;
    const statement = new Statement(record.text, line, 0);
    this.#add(line, {
      code: 'wrong-slot-closed',
      start: statement.contentStart,
      end: statement.argsStart < statement.end ? statement.end : statement.contentEnd,
      values: { id: left.id, side: SIDES[left.side] },
      fixes: [
        {
          title: say('fixes.useId', { id: left.id }),
          edits: [{ start: statement.contentEnd, end: statement.contentEnd, text: ` -id=${left.id}` }],
        },
      ],
    });
  }

  finish(): SceneShape {
    if (this.#openNotend >= 0) this.#addArgument('notend-alone', this.#openNotend, 'notend');
    const broken = this.#resolveJumps();
    this.#checkLabels();
    return {
      findings: toExactSize(this.#findings),
      labels: this.#labels.size === 0 ? NO_LABELS : this.#labels,
      lastLine: this.#lastLine,
      hangs: this.#hangs,
      firstDialogue: this.#firstDialogue,
      brokenJumps: toExactSize(broken),
    };
  }

  #resolveJumps(): { line: number; reference: Reference }[] {
    const broken: { line: number; reference: Reference }[] = [];
    const loops = new LoopCheck(this.#records);
    for (const { line, reference, record } of this.#jumps) {
      const target = this.#labels.get(reference.name);
      if (target === undefined) {
        broken.push({ line, reference });
        continue;
      }
      const isPlain = reference.note === 'jump' && (record.flags & LINE.conditional) === 0;
      if (isPlain && target < line && loops.isEndless(target, line)) {
        this.#add(line, {
          code: 'endless-loop',
          start: reference.start,
          end: reference.end,
          values: { name: reference.name },
        });
      }
    }
    return broken;
  }

  #checkLabels(): void {
    const used = new Set(this.#jumps.map((jump) => jump.reference.name));
    const duplicateMessage: DiagnosticMessage = say('notes.sameLabel');
    for (const line of this.#labelLines) {
      const reference = this.#records[line]?.references?.find(({ role }) => role === 'label');
      if (reference === undefined) continue;
      const { start, end, name } = reference;
      const lines = this.#repeated.get(name);
      if (lines !== undefined) {
        // Reported once, at the first label of that name.
        if (line !== lines[0]) continue;
        const last = lines.at(-1) as number;
        this.#add(line, {
          code: 'duplicate-label',
          start,
          end,
          values: { name, line: String(last + 1) },
          related: lines.slice(1, 6).map((other) => ({
            line: other,
            start: 0,
            end: this.#records[other]?.text.length ?? 0,
            message: duplicateMessage,
          })),
        });
      } else if (!used.has(name) && !this.#jumpsAnywhere) {
        this.#add(line, { code: 'unused-label', start, end, values: { name } });
      }
    }
  }

  #add(line: number, finding: Finding): void {
    this.#findings.push({ line, finding });
  }
}

/** Findings for missing labels, using project facts: near labels, or a scene of that name. */
export function brokenJumpFindings(shape: SceneShape, hasScene: (name: string) => boolean): PlacedFinding[] {
  let searches = 0;
  return shape.brokenJumps.map(({ line, reference }) => {
    const { name, start } = reference;
    const end = Math.max(reference.end, start + 1);
    if (reference.note === 'choose' && hasScene(`${name}.txt`)) {
      return {
        line,
        finding: {
          code: 'choose-scene-extension',
          start,
          end,
          values: { target: name },
          fixes: [replaceFix(start, end, `${name}.txt`)],
        },
      };
    }
    searches += 1;
    const near = searches > MAX_SEARCHES ? [] : findNearNames(name, shape.labels.keys(), 3);
    return {
      line,
      finding: {
        code: 'missing-label',
        // An address, which an engine of the game's own may understand.
        ...(/^\/|[?]|:\/\//.test(name) && { severity: 'info' as const }),
        start,
        end,
        values: {
          name,
          near: near.length === 0 ? '' : say('notes.nearLabels', { names: near }),
        },
        ...(near.length > 0 && { fixes: near.map((label) => replaceFix(start, end, label)) }),
      },
    };
  });
}

const SIDES: Readonly<Record<FigureSide, DiagnosticMessage>> = {
  left: say('sides.left'),
  right: say('sides.right'),
  center: say('sides.center'),
  left13: say('sides.left13'),
  right13: say('sides.right13'),
  left14: say('sides.left14'),
  right14: say('sides.right14'),
};
