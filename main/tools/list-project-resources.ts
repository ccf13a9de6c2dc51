import { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import { toolText } from '../../shared/i18n/tools.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import type { Reader } from '../core/ports/reader.ts';
import { readTool } from './support/tool-presets.ts';

const names = z.array(z.string());

export const listProjectResources = defineTool({
  ...readTool('list_project_resources'),
  inChat: 'looked',
  capability: 'project.resource.list',
  version: '1.1.0',
  description:
    'Lists what the game has to work with: backgrounds, figures, music, voices and sound effects, scenes, videos and ' +
    'animations. Names are as a script uses them (relative to their own folder). Use only names from here in scripts.',
  input: z.strictObject({}),
  output: z.object({
    backgrounds: names,
    figures: names,
    bgm: names,
    vocals: names,
    scenes: names,
    videos: names.optional(),
    animations: names.optional(),
  }),
  examples: [{}],
  needs: ['reader'],
  summarize: () => toolText('list_project_resources.summary'),
  paths: () => [],
  async handler(_, { reader }, { signal }) {
    const list = (folder: string) => listFolder(reader, `game/${folder}`, signal);
    const [backgrounds, figures, bgm, vocals, scenes, videos, animations] = await Promise.all(
      ['background', 'figure', 'bgm', 'vocal', 'scene', 'video', 'animation'].map(list),
    );
    return {
      backgrounds: backgrounds ?? [],
      figures: figures ?? [],
      bgm: bgm ?? [],
      vocals: vocals ?? [],
      scenes: (scenes ?? []).filter((name) => name.toLowerCase().endsWith('.txt')),
      videos: videos ?? [],
      animations: (animations ?? []).filter((name) => name !== 'animationTable.json'),
    };
  },
});

/** The files below a folder, relative to it, without hidden files; empty when there is no such folder. */
async function listFolder(reader: Reader, folder: string, signal: AbortSignal): Promise<string[]> {
  const entries = await reader.list(folder, { recursive: true, signal }).catch((error: unknown) => {
    // A game without voices has no folder for them; a folder closed by the policy counts as missing.
    if (error instanceof AppError && (error.code === 'E_NOT_FOUND' || error.code === 'E_DENY_PATH')) return [];
    throw error;
  });
  return entries
    .filter((entry) => !entry.isDirectory && !/(^|\/)(\.|Thumbs\.db$|desktop\.ini$)/i.test(entry.path))
    .map((entry) => entry.path.slice(folder.length + 1))
    .sort();
}
