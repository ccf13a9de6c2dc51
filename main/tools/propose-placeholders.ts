import { z } from 'zod';
import { toolText } from '../../shared/i18n/tools.ts';
import { MAX_PLACEHOLDERS, PlaceholderFault } from '../../shared/model/asset/placeholder.ts';
import { makePlaceholders, toPlaceholderPlan } from '../core/assets/make-placeholders.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { currentProjectIndex } from '../core/project/read-project-index.ts';
import { DRAFT_NOTE } from '../core/proposal/text-change.ts';
import { editTool } from './support/tool-presets.ts';

export const proposePlaceholders = defineTool({
  ...editTool('propose_placeholders', { reason: 'addsPlaceholders' }),
  capability: 'project.placeholder.propose',
  version: '1.0.0',
  audience: 'model',
  timeout: 120_000,
  rateLimit: 10,
  sideEffects: 'Drafts new pictures and sounds.',
  description:
    'Drafts placeholders into the proposal for the pictures and sounds that the scripts name and the game does not have, so that a game of ' +
    'texts plays at once: labelled backgrounds, labelled silhouettes for figures, silence for music, voices and effects. Needs no ' +
    'service. Never replaces a file. Use it after you have written scenes, when the user has no pictures yet or asks for placeholders. At most ' +
    `${MAX_PLACEHOLDERS} at a time, as .png, .jpg, .webp, .wav, .mp3 or .ogg. Do not use it for a name that is misspelt: correct the name.`,
  input: z.strictObject({}),
  output: z.object({
    drafted: z.array(z.string()).describe('The paths of the placeholders'),
    leftOut: z
      .array(z.object({ path: z.string(), why: PlaceholderFault }))
      .describe(
        'Missing files without one. name: not a name that every system allows; type: nothing is made in it; twin: another differs only in case; ' +
          'there: something is there, or the folder is closed',
      ),
    more: z.int().describe('Further missing files: call it again after the user has accepted'),
    note: z.string(),
  }),
  examples: [{}],
  needs: ['reader', 'writer', 'assets', 'painter'],
  summarize: () => toolText('propose_placeholders.summary', {}),
  paths: () => [],
  async handler(_, { reader, writer, assets, painter }, { seen, signal, engine }) {
    const plan = toPlaceholderPlan(await currentProjectIndex(reader, { ...(await engine?.()), signal }));
    const { made, leftOut } = await makePlaceholders(plan, { reader, assets, painter }, signal);
    await writer.writeAll(made.map(({ path, text }) => ({ path, text, base: null })));
    for (const { path, asset } of made) seen.set(path, asset.id);
    return {
      drafted: made.map(({ path }) => path),
      leftOut: leftOut.map(({ path, fault }) => ({ path, why: fault })),
      more: plan.more,
      note: DRAFT_NOTE,
    };
  },
});
