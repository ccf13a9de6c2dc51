import type { Severity } from '../model/diagnostic.ts';
import type { LocalText } from '../model/text.ts';
import type { AssetFolder } from './command-values.ts';
import type { DiagnosticCode } from './diagnostics/diagnostic-table.ts';

/** An edit inside one line. 0-based columns. */
export interface LineEdit {
  start: number;
  end: number;
  text: string;
}

export interface FindingFix {
  title: LocalText;
  edits: readonly LineEdit[];
}

/** A diagnostic before it is worded and placed: columns are 0-based in its line. */
export interface Finding {
  code: DiagnosticCode;
  start: number;
  end: number;
  /** How many lines further down `end` lies. */
  lines?: number;
  values?: Readonly<Record<string, string | LocalText>>;
  /** When it differs from the code's own. */
  severity?: Severity;
  fixes?: readonly FindingFix[];
  /** Other places that belong to it, as lines of the same scene. */
  related?: readonly { line: number; start: number; end: number; message: LocalText }[];
}

/** What a line names, to be resolved against the project. */
export type ReferenceRole =
  | 'asset'
  | 'scene'
  | 'animation'
  | 'label'
  | 'jump'
  | 'write'
  | 'input'
  | 'figure'
  | 'target'
  | 'condition'
  | 'comparison'
  | 'calculation'
  | 'interpolation'
  | 'value'
  | 'loose-file'
  | 'maybe-speaker'
  | 'maybe-statement'
  | 'odd-speaker'
  | 'old-command'
  | 'engine-command'
  | 'rows';

export interface Reference {
  role: ReferenceRole;
  name: string;
  start: number;
  end: number;
  /** For files alone. */
  folder: AssetFolder | null;
  /** More that the rule for the role wants to know; empty when there is nothing. */
  note: string;
}

/**
 * More than this in one line is noise: whoever mends forty sees the rest, and a line made to have thousands must not
 * cost thousands of look-ups. References have room for the longest of real menus.
 */
const MOST_FINDINGS = 40;
const MOST_REFERENCES = 2000;

const NO_MORE = {};

/** Gathers what the rules find in one line. */
export class LineReport {
  findings: Finding[] | null = null;
  references: Reference[] | null = null;

  /** Makes it ready for the next line; what was gathered stays with whoever took it. */
  clear(): this {
    this.findings = null;
    this.references = null;
    return this;
  }

  add(code: DiagnosticCode, start: number, end: number, more: Omit<Finding, 'code' | 'start' | 'end'> = {}): void {
    this.findings ??= [];
    if (this.findings.length >= MOST_FINDINGS) return;
    this.findings.push({ code, start, end, ...more });
  }

  /** True when no rule needs to look further. */
  get isFull(): boolean {
    return this.findings !== null && this.findings.length >= MOST_FINDINGS;
  }

  has(code: DiagnosticCode): boolean {
    return this.findings?.some((finding) => finding.code === code) ?? false;
  }

  refersTo(role: ReferenceRole): boolean {
    return this.references?.some((reference) => reference.role === role) ?? false;
  }

  refer(
    role: ReferenceRole,
    name: string,
    start: number,
    end: number,
    more: Partial<Pick<Reference, 'folder' | 'note'>> = NO_MORE,
  ): void {
    // All of one shape: there are as many of them as there are lines.
    const reference = { role, name, start, end, folder: more.folder ?? null, note: more.note ?? '' };
    if (this.references === null) this.references = [reference];
    else if (this.references.length < MOST_REFERENCES) this.references.push(reference);
  }
}

/** The commonest fix: other text in place of what is there. */
export function replaceFix(start: number, end: number, text: string): FindingFix {
  return {
    title: text === '' ? { 'zh-CN': '删掉', en: 'Remove it' } : { 'zh-CN': `改成 ${text}`, en: `Change to ${text}` },
    edits: [{ start, end, text }],
  };
}
