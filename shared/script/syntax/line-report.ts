import type { MessageValues } from '../../i18n/catalogue.ts';
import { type DiagnosticCode, type DiagnosticKey, type DiagnosticMessage, say } from '../../i18n/diagnostics.ts';
import type { Severity } from '../../model/diagnostic.ts';
import type { AssetFolder } from './command-values.ts';

/** An edit inside one line. 0-based columns. */
export interface LineEdit {
  start: number;
  end: number;
  text: string;
}

export interface FindingFix {
  title: DiagnosticMessage;
  edits: readonly LineEdit[];
}

/** What a rule found, before it is worded and placed in the file as a diagnostic: columns are 0-based in its line. */
export interface Finding {
  code: DiagnosticCode;
  start: number;
  end: number;
  /** Number of lines between the finding's line and the line of `end`. */
  lines?: number;
  values?: MessageValues<DiagnosticKey>;
  /** Set when it differs from the code's default. */
  severity?: Severity;
  fixes?: readonly FindingFix[];
  /** Related ranges in lines of the same scene. */
  related?: readonly { line: number; start: number; end: number; message: DiagnosticMessage }[];
}

/** A finding with its line, 0-based. */
export interface PlacedFinding {
  line: number;
  finding: Finding;
}

/** What a line refers to, to be resolved against the project. */
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
  /** A text beside a comparison; note `bare` for one without quotes that cannot be the name of a variable. */
  | 'compared-text'
  | 'calculation'
  | 'interpolation'
  /** `{ name }`: with blanks the engine finds no variable. */
  | 'spaced-name'
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
  /** For roles of files only; null otherwise. */
  folder: AssetFolder | null;
  /** Role-specific detail; empty when there is none. */
  note: string;
}

/**
 * Limits per line: further findings are reported after the first ones are fixed, and a hostile line with thousands must
 * not cost thousands of lookups. The limit of references exceeds the longest known menus.
 */
const MAX_FINDINGS = 40;
const MAX_REFERENCES = 2000;

const NO_DETAILS = {};

/** Collects the findings and references of one line. */
export class LineReport {
  findings: Finding[] | null = null;
  references: Reference[] | null = null;

  /** Resets the report for the next line; previous lists stay with their owner. */
  clear(): this {
    this.findings = null;
    this.references = null;
    return this;
  }

  add(code: DiagnosticCode, start: number, end: number, more: Omit<Finding, 'code' | 'start' | 'end'> = {}): void {
    const finding = { code, start, end, ...more };
    if (this.findings === null) this.findings = [finding];
    else if (this.findings.length < MAX_FINDINGS) this.findings.push(finding);
  }

  /** True when no more findings are accepted. */
  get isFull(): boolean {
    return this.findings !== null && this.findings.length >= MAX_FINDINGS;
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
    more: Partial<Pick<Reference, 'folder' | 'note'>> = NO_DETAILS,
  ): void {
    // All references have the same object shape, because there are as many as lines.
    const reference = { role, name, start, end, folder: more.folder ?? null, note: more.note ?? '' };
    if (this.references === null) this.references = [reference];
    else if (this.references.length < MAX_REFERENCES) this.references.push(reference);
  }
}

/** A fix that replaces a range by `text`. */
export function replaceFix(start: number, end: number, text: string): FindingFix {
  return {
    title: text === '' ? say('fixes.remove') : say('fixes.replace', { text }),
    edits: [{ start, end, text }],
  };
}
