import { z } from 'zod';
import type { ToolChange } from '../../core/capability/define-tool.ts';
import { defineFace } from '../../core/capability/model-face.ts';
import type { PlannedText } from '../../core/capability/to-change-summary.ts';
import { DRAFT_NOTE, MAX_TEXT_BYTES } from '../../core/proposal/text-change.ts';
import { toTextVersion } from '../../core/text/text-version.ts';
import { ChangeAnswer, toChangedLines, toCounts, toNewProblems } from '../support/change-answer.ts';
import { UNLISTED_ARGUMENTS, UNLISTED_NAMES } from '../support/model-arguments.ts';
import { planEntry, readEntries, refuseRepeatedPaths } from '../support/patch/patch-plan.ts';
import { createPatchTolerance } from '../support/patch/similar-lines.ts';

export const applyPatchForModel = defineFace({
  description:
    'Drafts changes of several places or files at once; all of it or nothing. Form: "*** Begin Patch", then per file ' +
    '"*** Update File: path" with hunks that begin with "@@" and hold lines marked " " (stays), "-" (goes) or "+" (comes), ' +
    '"*** Add File: path" with "+" lines, or "*** Delete File: path"; then "*** End Patch". Lines marked " " or "-" are ' +
    'those of the file, without line numbers, in its order; if they are not there, nothing changes and the nearest lines ' +
    'are returned.',
  input: z.strictObject({ patch_text: z.string().min(1).max(MAX_TEXT_BYTES), ...UNLISTED_ARGUMENTS }),
  output: z.object({
    drafted: z.boolean(),
    files: z.array(
      ChangeAnswer.pick({
        path: true,
        added: true,
        removed: true,
        lines: true,
        newProblems: true,
        leftOut: true,
      }).extend({
        action: z.enum(['add', 'update', 'delete']),
      }),
    ),
    note: z.string(),
  }),
  unlisted: UNLISTED_NAMES,
  aliases: { patch: 'patch_text', input: 'patch_text', diff: 'patch_text', content: 'patch_text' },
  texts: ['patch_text'],
  needs: ['reader', 'writer'],
  approval: {
    permissionsFor: (input) => {
      if (input.dryRun) return ['fs.read'];
      const deletes = readEntries(input).some((entry) => entry.action === 'delete');
      return deletes ? ['fs.read', 'fs.write', 'fs.delete'] : ['fs.read', 'fs.write'];
    },
    async plan(input, { reader }) {
      const planned: PlannedText[] = [];
      for (const entry of input.dryRun ? [] : readEntries(input)) {
        const tolerate = (text: string) => createPatchTolerance(entry.path, text, () => undefined);
        const { before, change } = await planEntry(entry, { reader, seen: new Map(), tolerate });
        planned.push({ path: change.path, before, after: change.text });
      }
      return planned;
    },
  },
  async handler(input, { reader, writer }, context) {
    const { dryRun } = input;
    const entries = readEntries(input);
    refuseRepeatedPaths(entries);
    const taken: string[] = [];
    const planned: Awaited<ReturnType<typeof planEntry>>[] = [];
    for (const entry of entries) {
      const { path } = entry;
      const tolerate = (text: string) => createPatchTolerance(path, text, (line) => taken.push(`${path}:${line}`));
      planned.push(await planEntry(entry, { reader, seen: context.seen, tolerate }));
    }
    if (!dryRun) {
      await writer.writeAll(planned.map(({ change }) => change));
      for (const { change } of planned) await keepSeen(context.seen, change);
    }
    const files = [];
    for (const { entry, before, change } of planned) {
      const after = change.text ?? '';
      files.push({
        ...{ path: change.path, action: entry.action, ...toCounts({ before, after: change.text }) },
        ...(change.text !== null && toChangedLines(before, after)),
        ...(!dryRun &&
          change.text !== null &&
          (await toNewProblems({ path: change.path, before, after }, { reader, ...context }))),
      });
    }
    const guessed =
      taken.length === 0 ? '' : `Lines were taken that differ in punctuation widths or blanks: ${taken.join(', ')}. `;
    const note = dryRun ? 'Only a look: nothing was drafted. Call again without dryRun to draft it.' : DRAFT_NOTE;
    return { drafted: !dryRun, files, note: guessed + note };
  },
});

/** A file that was known before the patch, or is made by it, is known after it. */
async function keepSeen(seen: Map<string, string>, { path, text, base }: ToolChange): Promise<void> {
  if (text !== null && (base === null || seen.get(path) === base)) seen.set(path, (await toTextVersion(text)).version);
  else seen.delete(path);
}
