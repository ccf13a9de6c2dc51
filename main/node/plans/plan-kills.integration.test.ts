import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildKilledProgram,
  type KilledProgram,
  makeGame,
} from '../../../tests/support/attacks/killed/killed-program.ts';
import { createJournalSignature } from '../journal/journal-signature.ts';
import { createAgentFolder } from '../project-fs/agent-folder.ts';
import { createSavedPlanFiles } from './saved-plan-files.ts';

/** Number of file calls at which a process is killed. For more: `KILLS=100 npx vitest run plan-kills`. */
const RUNS = Number(process.env.KILLS ?? 10);

let parent = '';
let program: KilledProgram;
const home = () => path.join(parent, 'home');
beforeAll(async () => {
  parent = await mkdtemp(path.join(tmpdir(), 'planned-'));
  await createJournalSignature(home()).toMark('');
  program = await buildKilledProgram('killed-planner', parent);
}, 60_000);
afterAll(() => rm(parent, { recursive: true }));

/** Runs the program and returns its output, whether the page was told of the plan, and what is saved. */
async function plan(name: string, when: string) {
  const root = path.join(parent, name);
  await makeGame(root, { 'game/scene/start.txt': 'end;\n' });
  const output = await program.run(home(), root, when);
  const files = createSavedPlanFiles(createAgentFolder(root), { signature: createJournalSignature(home()) });
  const { plans, leftOut } = await files.list();
  return { output, plans, leftOut, isShown: existsSync(path.join(root, 'shown')) };
}

const whole = { isForeign: false, content: { text: 'Rain.', patch_templates: [{}, { summary: 'Call out' }] } };

describe.skipIf(process.platform === 'win32')(
  'a process killed while the assistant proposes a plan that cannot run',
  () => {
    it('has saved the plan before its card is shown', async () => {
      const { output, ...saved } = await plan('shown', 'shown');
      expect(output).toBeNull();
      expect(saved).toMatchObject({ isShown: true, leftOut: 0, plans: [whole] });
    }, 60_000);

    it(
      'leaves a whole plan or none, wherever it is killed',
      async () => {
        const all = Number((await plan('whole', '0')).output);
        expect(all).toBeGreaterThan(0);
        const kills = { saved: 0, none: 0 };
        for (let run = 0; run < RUNS; run += 1) {
          const at = 1 + Math.floor((run * all) / RUNS);
          const { plans, leftOut, isShown } = await plan(`run${run}`, String(at));
          expect(leftOut, `killed at ${at}`).toBe(0);
          if (isShown || plans.length > 0) expect(plans, `killed at ${at}`).toMatchObject([whole]);
          kills[plans.length > 0 ? 'saved' : 'none'] += 1;
        }
        expect(kills.saved).toBeGreaterThan(0);
        expect(kills.none).toBeGreaterThan(0);
      },
      60_000 + RUNS * 5_000,
    );
  },
);
