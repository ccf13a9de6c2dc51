import { z } from 'zod';
import type { TitledTool } from '../../../shared/i18n/tools.ts';
import { editTool } from './tool-presets.ts';

/*
 * What the faces of the editing tools have in common. The contract's dry run and key exist for clients that write at once;
 * in the app every change is a draft, so they are not offered, and a model that sends them anyway gets the look it asks for.
 */

export const UNLISTED_ARGUMENTS = {
  dryRun: z.boolean().default(false),
  idempotencyKey: z.string().max(200).optional(),
};
export const UNLISTED_NAMES = ['dryRun', 'idempotencyKey'] as const;

/** A tool that edits by line numbers, for the app's own model only. The choices for `replace_in_file` hold for it, too. */
export function appEditTool(name: TitledTool) {
  return {
    ...editTool(name),
    sideEffects: 'Drafts one text file; the text before is snapshotted.',
    rateLimit: 240,
    audience: 'model',
    governedBy: ['replace_in_file'],
  } as const;
}

/** Other agents' names for the arguments of an edit. */
export const EDIT_ALIASES = {
  ...{ text: 'content', new_content: 'content', contents: 'content', file_text: 'content', code: 'content' },
  ...{ new_text: 'content', newText: 'content', lines: 'content', dry_run: 'dryRun' },
} as const;

/** How numbered lines are explained, in the descriptions of the tools that show them. */
export const NUMBERS_NOTE =
  'Each line begins with its number and a bar, as in "12| text": number, bar and the blank after it are not part of the text.';
