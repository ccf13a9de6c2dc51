import type { Diagnostic, TextEdit } from '../model/diagnostic.ts';
import type { DiagnosticCode } from './diagnostics/diagnostic-table.ts';

/** Findings whose fix supposes what was meant (a near name, a taste): a person picks those. */
const SUPPOSED: ReadonlySet<string> = new Set<DiagnosticCode>([
  'check-settings-code',
  'choose-dash',
  'choose-extra-colon',
  'condition-bare-word',
  'config-language-value',
  'dash-in-text',
  'invalid-value',
  'literal-brackets',
  'missing-dash',
  'missing-file',
  'missing-label',
  'missing-scene',
  'none-text',
  'odd-speaker',
  'rare-speaker',
  'rotation-degrees',
  'slash-comment',
  'unknown-animation',
  'unknown-argument',
  'unknown-command',
  'unknown-interpolation',
  'unknown-target',
  'unknown-transform-key',
  'unset-variable',
  'wrong-slot-closed',
]);

/** True when there is one way to mend it and no doubt about what was meant: it can be done without asking. */
export function isCertainlyFixable(diagnostic: Diagnostic): boolean {
  return diagnostic.fixes?.length === 1 && !SUPPOSED.has(diagnostic.code);
}

/**
 * The first fix of every finding with that code, by path. A fix that would touch what another changes is left out
 * whole: it is found again afterwards. Edits of a path are in order of place.
 */
export function fixAll(diagnostics: readonly Diagnostic[], code: string): Map<string, TextEdit[]> {
  const byPath = new Map<string, TextEdit[]>();
  const taken = new Map<string, TextEdit[]>();
  for (const diagnostic of diagnostics) {
    const fix = diagnostic.code === code ? diagnostic.fixes?.[0] : undefined;
    if (fix === undefined) continue;
    const keyOf = (edit: TextEdit) => `${diagnostic.path}\u0000${edit.line}`;
    if (fix.edits.some((edit) => taken.get(keyOf(edit))?.some((other) => overlap(edit, other)))) continue;
    for (const edit of fix.edits) taken.set(keyOf(edit), [...(taken.get(keyOf(edit)) ?? []), edit]);
    const edits = byPath.get(diagnostic.path);
    if (edits === undefined) byPath.set(diagnostic.path, [...fix.edits]);
    else edits.push(...fix.edits);
  }
  for (const edits of byPath.values()) edits.sort((one, other) => one.line - other.line || one.column - other.column);
  return byPath;
}

/** Two insertions at one place count as overlapping: their order would decide the text. */
function overlap(one: TextEdit, other: TextEdit): boolean {
  if (one.column === other.column) return true;
  return one.column < other.endColumn && other.column < one.endColumn;
}
