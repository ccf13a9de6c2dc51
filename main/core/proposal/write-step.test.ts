import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProjectFolder, type ProjectFolder } from '../../../tests/support/games/project-folder.ts';
import type { WriteLabel } from '../ports/writer.ts';
import type { Draft, ProposalService, StepWrite } from '../services.ts';
import { createProposalService } from './proposal-service.ts';

const START = 'game/scene/start.txt';

let game: ProjectFolder;
let proposals: ProposalService;
let labels: WriteLabel[];
let begun: (readonly string[])[];

beforeEach(async () => {
  game = await createProjectFolder({ [START]: 'a:1;\n' });
  [labels, begun] = [[], []];
  let count = 0;
  proposals = createProposalService({
    reader: game.reader,
    writer: {
      apply(changes, label) {
        labels.push(label);
        return game.writer.apply(changes, label);
      },
    },
    emit: () => undefined,
    clock: { now: () => 1, id: () => `id-${++count}` },
    locale: () => 'en',
  });
});
afterEach(() => game.dispose());

/** Drafts a text in a step of a plan. */
async function draft(step: string, text: string): Promise<void> {
  proposals.setStep({ id: step, summary: step });
  const { version } = await proposals.reader.read(START);
  await proposals.writer.write({ path: START, text, base: version });
}

const toWrite = (validate: StepWrite['validate']): StepWrite => ({
  ...{ label: { group: 'g', title: 't' }, validate },
  begin: async (paths) => void begun.push(paths),
});
const asDrafted = toWrite(async (drafts) => ({
  changes: drafts.map(({ path, text, base }: Draft) => ({ path, text, base })),
  transaction: 'tx_1',
}));
const disk = async () => (await game.reader.read(START)).text;

describe('what a step alone has drafted', () => {
  beforeEach(() => proposals.begin('turn', async () => undefined));

  it('is written as pending, under the transaction that was validated, and leaves the proposal', async () => {
    await draft('one', 'a:1;\na:2;\n');
    expect(await proposals.writeStep('one', asDrafted)).toEqual({
      ...{ kind: 'written', transaction: 'tx_1', paths: [START] },
    });
    expect(labels).toMatchObject([{ isPending: true, transaction: 'tx_1', origin: 'agent' }]);
    expect([await disk(), begun, proposals.current()]).toEqual(['a:1;\na:2;\n', [[START]], null]);
    expect(await proposals.finish('')).toBeNull();
  });

  it('stays a draft when the file changed after it was validated', async () => {
    await draft('one', 'a:1;\na:2;\n');
    const late = toWrite(async (drafts) => {
      const valid = await asDrafted.validate(drafts);
      await writeFile(join(game.root, START), 'a:other;\n');
      return valid;
    });
    expect(await proposals.writeStep('one', late)).toEqual({ kind: 'drafted', issues: [`unwritten:${START}`] });
    expect([await disk(), proposals.current()?.files.length]).toEqual(['a:other;\n', 1]);
  });

  it('stays a draft when it must not be written alone', async () => {
    await draft('one', 'a:1;\na:2;\n');
    const refused = toWrite(async () => ({ issues: ['rules:write_to_file'] }));
    expect(await proposals.writeStep('one', refused)).toEqual({ kind: 'drafted', issues: ['rules:write_to_file'] });
    expect([await disk(), labels, begun]).toEqual(['a:1;\n', [], []]);
  });

  it('stays a draft where another step drafted in the same file', async () => {
    await draft('one', 'a:1;\na:2;\n');
    await draft('two', 'a:1;\na:2;\na:3;\n');
    expect(await proposals.writeStep('two', asDrafted)).toEqual({ kind: 'drafted', issues: [] });
    expect([await disk(), labels]).toEqual(['a:1;\n', []]);
  });

  it('is not written once the proposal is in review', async () => {
    await draft('one', 'a:1;\na:2;\n');
    await proposals.finish('');
    await expect(proposals.writeStep('one', asDrafted)).rejects.toMatchObject({ code: 'E_POLICY_VIOLATION' });
    expect(await disk()).toBe('a:1;\n');
  });
});
