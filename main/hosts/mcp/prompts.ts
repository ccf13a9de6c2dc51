import type { Prompt } from '@modelcontextprotocol/sdk/types.js';
import { type McpKey, mcpTexts } from '../../../shared/i18n/mcp.ts';
import type { Locale } from '../../../shared/model/local-text.ts';

interface Job {
  name: 'write_scene' | 'check_game' | 'proofread_scene' | 'add_choice' | 'translate_scene' | 'undo_change';
  arguments: readonly Argument[];
}

interface Argument {
  name: string;
  description: McpKey;
  required: boolean;
  /** What it names; absent for free text. */
  completes?: 'scene' | 'label' | 'background' | 'characters' | 'language';
}

const SCENE = { name: 'scene', description: 'prompts.scene', required: true, completes: 'scene' } as const;

const JOBS: readonly Job[] = [
  {
    name: 'write_scene',
    arguments: [
      { name: 'idea', description: 'prompts.write_scene.arguments.idea', required: true },
      { name: 'after', description: 'prompts.write_scene.arguments.after', required: false, completes: 'scene' },
      ...(['background', 'characters'] as const).map((name) => ({
        ...({ name, description: `prompts.write_scene.arguments.${name}`, required: false, completes: name } as const),
      })),
    ],
  },
  { name: 'check_game', arguments: [] },
  { name: 'proofread_scene', arguments: [SCENE] },
  {
    name: 'add_choice',
    arguments: [
      SCENE,
      { name: 'options', description: 'prompts.add_choice.arguments.options', required: true },
      { name: 'label', description: 'prompts.add_choice.arguments.label', required: false, completes: 'label' },
    ],
  },
  {
    name: 'translate_scene',
    arguments: [
      SCENE,
      {
        ...({ name: 'language', description: 'prompts.translate_scene.arguments.language', required: true } as const),
        completes: 'language',
      },
    ],
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

/** Returns an argument of a prompt; undefined if there is none. */
export function findArgument(prompt: string, name: string): Argument | undefined {
  return JOBS.find((job) => job.name === prompt)?.arguments.find((argument) => argument.name === name);
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
  const { after, background, characters, label } = others;
  const wishes = {
    sequel: after ? translate('prompts.write_scene.sequel', { after }) : '',
    place: background ? translate('prompts.write_scene.place', { background }) : '',
    cast: characters ? translate('prompts.write_scene.cast', { characters }) : '',
    spot: label ? translate('prompts.add_choice.spot', { label }) : '',
  };
  const values = { ...others, ...wishes, ...(scene !== undefined && { scene: toSceneName(scene) }) };
  return {
    description: translate(`prompts.${job.name}.description`),
    text: translate(`prompts.${job.name}.text`, values),
  };
}

/** Converts a scene path that is complete, or relative to `game` or to the scene folder. */
export function toSceneName(scene: string): string {
  return scene.trim().replace(/^(?:\.?\/)?(?:(?:game\/)?scene\/)?/, '');
}
