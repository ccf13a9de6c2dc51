import { z } from 'zod';
import { toolText } from '../../shared/i18n/tools.ts';
import { PatchValidation, TemplateStatus } from '../../shared/model/plan/patch.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { toKnownPath } from '../core/patch/compose-patch.ts';
import { PlanInput, toProposedSteps } from '../core/patch/plan-input.ts';
import { toPlanSteps } from '../core/patch/to-plan-steps.ts';
import { validatePlan } from '../core/patch/validate-plan.ts';
import { readTool } from './support/tool-presets.ts';

export const proposePlan = defineTool({
  ...readTool('propose_plan', { reason: 'shows' }),
  type: 'action',
  capability: 'agent.plan.propose',
  version: '1.0.0',
  description:
    'In plan mode: shows the user your plan as a list of steps and ends your turn. The user answers, changes and orders the steps, and ' +
    'lets them run one by one. At most 12 steps for usual work. type: scene_edit (lines of a scene, or a new scene), asset_binding (a picture ' +
    'or sound that exists gets its place), character_definition (a new character or look), custom_command (settings, renames, ' +
    'removals), manual_review (only the user can decide). Give path, and line where you know it. missing: what you have to know ' +
    'first, as questions. operations are optional: exact changes that run without you; give them only where you read the lines ' +
    'that expect quotes.',
  input: PlanInput,
  output: z.object({
    ack: z.literal(true),
    steps: z.array(z.object({ step_id: z.string(), status: TemplateStatus, validation: PatchValidation })),
  }),
  audience: 'model',
  inAct: false,
  modelCalls: {
    aliases: {
      plan: 'steps',
      items: 'steps',
      tasks: 'steps',
      patch_templates: 'steps',
      summary: 'text',
      intro: 'text',
    },
  },
  sideEffects: 'Shows a plan in the chat.',
  rateLimit: 30,
  // Language data: text of a game.
  examples: [
    {
      steps: [
        { type: 'scene_edit', summary: '在海边约会之后写雨夜的争吵', path: 'game/scene/beach.txt', line: 42 },
        { type: 'asset_binding', summary: '雨夜换上夜景', path: 'game/background/night.webp' },
      ],
    },
  ],
  needs: ['reader'],
  summarize: ({ steps }) => toolText('propose_plan.summary', { count: steps.length }),
  paths({ steps }) {
    const named = steps.flatMap(({ path, operations }) => [path, ...operations.map((operation) => operation.path)]);
    const known = named.flatMap((path) => (path === undefined ? [] : [toKnownPath(path)]));
    return [...new Set(known.filter((path) => path !== null))];
  },
  async handler({ steps }, { reader }, { engine }) {
    const validated = await validatePlan(toPlanSteps(toProposedSteps(steps), 'step'), {
      reader,
      engine: await engine?.(),
    });
    const answers = validated.map(({ step_id, status, validation }) => ({ step_id, status, validation }));
    return { ack: true as const, steps: answers };
  },
});
