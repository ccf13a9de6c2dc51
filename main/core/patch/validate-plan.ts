import { mayRunStep, type PlanStep } from '../../../shared/model/plan/patch.ts';
import type { ProjectIndex } from '../../../shared/script/project-index/project-facts.ts';
import type { Reader } from '../ports/reader.ts';
import type { GameEngine } from '../ports/workspace.ts';
import { currentProjectIndex } from '../project/read-project-index.ts';
import { composePatch, type KnownText, readPatchTexts } from './compose-patch.ts';
import { createIndexLayer, type IndexLayer } from './index-layer.ts';
import type { UnaskedTexts } from './rules/unasked-texts.ts';
import { type ProblemCounts, toStatus, validatePatchTemplate } from './validate-patch.ts';

export interface PlanGround {
  /** The game, with the drafts over it where there are any. */
  reader: Reader;
  engine?: GameEngine | undefined;
  /** For steps that are written without review. */
  unasked?: Pick<UnaskedTexts, 'before'>;
}

/** Characters of composed text that are validated before others get a turn. */
const SLICE = 1_000_000;

/**
 * Returns the steps with their status and validation. Each step is validated on the texts that those before it make which may run. Reads
 * each text once; the rest is computed in slices, between which the shared index is as it was.
 */
export async function validatePlan(
  steps: readonly PlanStep[],
  { reader, engine, unasked }: PlanGround,
): Promise<PlanStep[]> {
  const operations = steps.flatMap(({ patch }) => patch.operations);
  const texts = await readPatchTexts(operations, reader);
  /** What valid steps made so far. */
  const made = new Map<string, string | null>();
  const known = new Map<string, ProblemCounts>();
  /** The texts before the plan. */
  const first = new Map<string, string | null>();
  const validated: PlanStep[] = [];
  while (validated.length < steps.length) {
    // Asked for in each slice: an index is valid until the next await.
    const index = await currentProjectIndex(reader, engine);
    const layer = createIndexLayer(index);
    try {
      for (const [path, text] of made) layer.lay(path, text);
      for (let left = SLICE; left > 0 && validated.length < steps.length; ) {
        const step = steps[validated.length] as PlanStep;
        const { size, ...next } = validateNext(step, { index, layer, texts, made, known, first, unasked });
        validated.push(next.step);
        left -= size;
      }
    } finally {
      layer.restore();
    }
    if (validated.length < steps.length) await new Promise((resolve) => setTimeout(resolve));
  }
  return validated;
}

interface Progress {
  index: ProjectIndex;
  layer: IndexLayer;
  texts: Map<string, KnownText | undefined>;
  made: Map<string, string | null>;
  known: Map<string, ProblemCounts>;
  first: Map<string, string | null>;
  unasked: PlanGround['unasked'];
}

/** Validates one step and, if it may run, keeps its texts for the steps after it. `size`: its cost in characters. */
function validateNext(
  step: PlanStep,
  { index, layer, texts, made, known, first, unasked }: Progress,
): { step: PlanStep; size: number } {
  const composed = composePatch(step.patch.operations, texts);
  for (const { path, before } of composed.changes)
    if (!first.has(path)) first.set(path, unasked?.before(path, before) ?? before);
  const validation = validatePatchTemplate(step, composed, { index, layer, known, first });
  const mayRun = mayRunStep({ ...step, validation });
  let size = 1000;
  for (const { path, before, after } of composed.changes) {
    size += (before?.length ?? 0) + (after?.length ?? 0);
    if (!mayRun) {
      layer.lay(path, before);
      known.delete(path);
      continue;
    }
    made.set(path, after);
    texts.set(path, { text: after, version: null });
  }
  return { step: { ...step, status: toStatus(step, validation), validation }, size };
}
