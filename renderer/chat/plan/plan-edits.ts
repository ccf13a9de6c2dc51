import { mayRunStep, type PlanStepEdit, type ShownStep, type StepType } from '../../../shared/model/plan/patch.ts';
import type { ProjectFile } from '../../../shared/model/project.ts';

export type PlanSteps = readonly PlanStepEdit[];
export type StepChange = Partial<Omit<PlanStepEdit, 'step_id'>>;

/** True if the app would run the step now. */
export function mayRun(step: ShownStep): boolean {
  return mayRunStep(step) && (step.state === 'waiting' || step.state === 'failed');
}

function toEdit({ step_id, step_type, summary, answers, ticked, approved }: ShownStep): PlanStepEdit {
  return { step_id, step_type, summary, answers, ticked, approved };
}

/** Returns the steps with a change of one of them. */
export function changeStep(steps: readonly ShownStep[], id: string, change: StepChange): PlanSteps {
  return steps.map((step) => (step.step_id === id ? { ...toEdit(step), ...change } : toEdit(step)));
}

/** Returns the steps with the one at `from` moved by a number of places. */
export function moveStep(steps: readonly ShownStep[], from: number, by: number): PlanSteps {
  const moved = steps.map(toEdit);
  const [step] = moved.splice(from, 1);
  if (step) moved.splice(Math.min(steps.length - 1, Math.max(0, from + by)), 0, step);
  return moved;
}

/** Returns the steps of a plan in words as changes of scenes, which the assistant drafts. */
export function handOver(steps: readonly ShownStep[]): PlanSteps {
  return steps.map((step) => ({ ...toEdit(step), step_type: 'scene_edit' }));
}

/** Returns the paths of the files that a step of a type can be about: scenes, or pictures and sounds. A character is no file. */
export function toFilesOf(type: StepType, files: readonly ProjectFile[]): string[] {
  if (type !== 'scene_edit' && type !== 'asset_binding') return [];
  const isMeant = ({ kind }: ProjectFile) =>
    type === 'scene_edit' ? kind === 'scene' : !['scene', 'config', 'template', 'other'].includes(kind);
  return files.filter(isMeant).map(({ path }) => path);
}

/** Returns the path that a name stands for, with or without its ending, if there is one such file; the name itself otherwise. */
export function findMeantFile(name: string, paths: readonly string[]): string {
  if (paths.includes(name)) return name;
  const wanted = name.toLowerCase();
  const found = paths.filter((path) => {
    const known = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
    return known === wanted || known.replace(/\.[^.]+$/, '') === wanted;
  });
  return found.length === 1 && found[0] !== undefined ? found[0] : name;
}
