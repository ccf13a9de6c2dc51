import type { PatchOperation, PlaceholderFill, PlanStep } from '../../../shared/model/plan/patch.ts';

const BRACES = /[{｛]([^{}｛｝]*)[}｝]/g;

/** Returns a patch whose operations have the user's words in place of the named placeholders. What they expect stays as it is. */
export function fillPlaceholders(patch: PlanStep['patch'], fills: readonly PlaceholderFill[]): PlanStep['patch'] {
  const words = new Map(fills.map(({ name, value }) => [name.trim(), value]));
  if (words.size === 0) return patch;
  const fill = (text: string): string =>
    text.replace(BRACES, (whole, inside: string) => words.get(inside.trim()) ?? whole);
  const { metadata } = patch;
  return {
    operations: patch.operations.map((operation): PatchOperation => {
      if ('text' in operation) return { ...operation, text: fill(operation.text) };
      if (operation.op !== 'config' || operation.value === null) return operation;
      return { ...operation, value: fill(operation.value) };
    }),
    metadata: { ...metadata, placeholders: metadata.placeholders.filter((name) => !words.has(name.trim())) },
  };
}
