import type { Prompt } from '@modelcontextprotocol/sdk/types.js';
import { type McpKey, mcpTexts } from '../../../shared/i18n/mcp.ts';
import type { Locale } from '../../../shared/model/local-text.ts';

interface Job {
  name: 'write_scene' | 'check_game' | 'proofread_scene' | 'add_choice' | 'translate_scene' | 'undo_change';
  arguments: readonly { name: string; description: McpKey; required: boolean }[];
}

const SCENE = { name: 'scene', description: 'prompts.scene', required: true } as const;

const JOBS: readonly Job[] = [
  {
    name: 'write_scene',
    arguments: [
      { name: 'idea', description: 'prompts.write_scene.arguments.idea', required: true },
      { name: 'after', description: 'prompts.write_scene.arguments.after', required: false },
    ],
  },
  { name: 'check_game', arguments: [] },
  { name: 'proofread_scene', arguments: [SCENE] },
  {
    name: 'add_choice',
    arguments: [SCENE, { name: 'options', description: 'prompts.add_choice.arguments.options', required: true }],
  },
  {
    name: 'translate_scene',
    arguments: [SCENE, { name: 'language', description: 'prompts.translate_scene.arguments.language', required: true }],
  },
  { name: 'undo_change', arguments: [SCENE] },
];

export function listPrompts(locale: Locale): Prompt[] {
  const translate = mcpTexts.createTranslator(locale);
  return JOBS.map((job) => ({
    name: job.name,
    title: translate(`prompts.${job.name}.title`),
    description: translate(`prompts.${job.name}.description`),
    arguments: job.arguments.map(({ name, description, required }) => ({
      name,
      description: translate(description),
      required,
    })),
  }));
}

/** Returns a prompt's text. Null if no prompt has that name; the names of missing arguments if there are any. */
export function findPrompt(
  name: string,
  given: Readonly<Record<string, string>>,
  locale: Locale,
): { description: string; text: string } | { missing: string[] } | null {
  const job = JOBS.find((candidate) => candidate.name === name);
  if (!job) return null;
  const missing = job.arguments.filter((argument) => argument.required && !given[argument.name]?.trim());
  if (missing.length > 0) return { missing: missing.map((argument) => argument.name) };
  const { scene, ...others } = given;
  const translate = mcpTexts.createTranslator(locale);
  const sequel = others.after ? translate('prompts.write_scene.sequel', { after: others.after }) : '';
  const values = { ...others, sequel, ...(scene !== undefined && { scene: toSceneName(scene) }) };
  return {
    description: translate(`prompts.${job.name}.description`),
    text: translate(`prompts.${job.name}.text`, values),
  };
}

/** Converts a scene path that is complete, or relative to `game` or to the scene folder. */
function toSceneName(scene: string): string {
  return scene.trim().replace(/^(?:\.?\/)?(?:(?:game\/)?scene\/)?/, '');
}
