import { toPlanSteps } from '../../../main/core/patch/to-plan-steps.ts';
import { validatePlan } from '../../../main/core/patch/validate-plan.ts';
import { currentProjectIndex } from '../../../main/core/project/read-project-index.ts';
import { diagnoseProject } from '../../../shared/script/diagnostics/diagnose.ts';
import { createProjectIndex } from '../../../shared/script/project-index/project-facts.ts';
import { createMemoryDisk } from '../../support/chat-kit.ts';
import { type Comparison, compare, time } from '../compare.ts';
import { STORY_FILES, toScene } from '../story-text.ts';

const STEPS = 40;
const LINES = 10_000;

/** Measures composing and validating a plan of 40 steps, each in a scene of 250 lines, against diagnosing the 10,000 lines. */
export function benchPlan(): Promise<Comparison> {
  const story = new Map(
    Array.from({ length: STEPS }, (_, scene) => [`game/scene/s${scene}.txt`, toScene(scene, LINES / STEPS, 'end;')]),
  );
  const files = { ...Object.fromEntries(STORY_FILES.map((path) => [path, ''])), ...Object.fromEntries(story) };
  const paths = [...story.keys()];
  const proposed = Array.from({ length: STEPS }, (_, index) => {
    const path = paths[index % paths.length] ?? '';
    const text = `:Step ${index}.;`;
    const operations = [{ op: 'insert' as const, path, expect: '', text }];
    return {
      type: 'scene_edit' as const,
      summary: text,
      path,
      risk: 'low' as const,
      missing: [],
      operations,
      notes: [],
    };
  });
  const steps = toPlanSteps(proposed, 'step');
  return compare({
    name: `plan of ${STEPS} steps over ${LINES} lines`,
    goal: { ratio: 1.5 },
    against: 'diagnosing them',
    rounds: 10,
    async ours() {
      const disk = createMemoryDisk(files);
      const reader = {
        ...disk.reader,
        changes: async (since: number | null) => ({ now: 1, changes: since === null ? null : [] }),
      };
      // As in an open game, whose index is kept.
      await currentProjectIndex(reader);
      return time(async () => void (await validatePlan(steps, { reader })));
    },
    theirs: () =>
      time(async () => {
        const index = createProjectIndex();
        index.setFiles(Object.keys(files));
        for (const [path, text] of story) index.setText(path, text);
        diagnoseProject(index, { locale: 'en' });
      }),
  });
}
