import { z } from 'zod';
import { MAX_PLAN_STEPS, PatchTemplate, PlanValidation } from '../../shared/model/plan/patch.ts';
import { ExhibitDraft } from '../../shared/model/plan/saved-plan.ts';
import type { ToolDocument } from './tool-documents.ts';

const CreationPlan = PlanValidation.extend({ patch_templates: z.array(PatchTemplate).max(MAX_PLAN_STEPS) });

/** Generates the JSON Schemas (2020-12) of a plan's templates, of a validated plan and of a saved one. */
export function toPatchDocuments(): ToolDocument[] {
  const named = { patch_template: PatchTemplate, creation_plan: CreationPlan, exhibit_draft: ExhibitDraft };
  return Object.entries(named).map(([name, schema]) => {
    const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'output', target: 'draft-2020-12' });
    return { path: `schemas/${name}.json`, text: `${JSON.stringify({ $schema, $id: name, ...rest }, null, 2)}\n` };
  });
}
