import { z } from 'zod';

/**
 * Lines of a draft that a step of a plan wrote. `start`: 1-based. `length` 0: the step removed lines before `start`. Marks of several
 * steps may lie on the same lines.
 */
export const StepMark = z.strictObject({
  step: z.string().min(1).max(200),
  start: z.int().min(1),
  length: z.int().min(0),
});
export type StepMark = z.infer<typeof StepMark>;

/** More marks are not stored: the file is then shown as the work of all its steps. */
export const MAX_STEP_MARKS = 2000;

export const StepMarks = z.array(StepMark).max(MAX_STEP_MARKS).readonly();
