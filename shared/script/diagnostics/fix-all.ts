import type { DiagnosticCode } from '../../i18n/diagnostics.ts';
import type { Diagnostic, TextEdit } from '../../model/diagnostic.ts';

/** Codes whose fix is a guess (a near name, a matter of style): the user applies those one by one. */
const GUESSED_CODES: ReadonlySet<string> = new Set<DiagnosticCode>([
  'check-settings-code',
  'choose-dash',
  'choose-extra-colon',
  'closing-word',
  'condition-bare-word',
  'config-language-value',
  'dash-in-text',
  'empty-place-closed',
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
  'setvar-shorthand',
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

/** True when there is exactly one fix and it is not a guess: it can be applied without asking. */
export function isCertainlyFixable(diagnostic: Diagnostic): boolean {
  return diagnostic.fixes?.length === 1 && !GUESSED_CODES.has(diagnostic.code);
}

/**
 * The first fix of every finding with that code, by path. A fix that overlaps another is left out as a whole; the next
 * check reports its finding again. Edits of a path are sorted by position.
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

/** Two insertions at the same position count as overlapping, because their order would determine the text. */
function overlap(one: TextEdit, other: TextEdit): boolean {
  if (one.column === other.column) return true;
  return one.column < other.endColumn && other.column < one.endColumn;
}
