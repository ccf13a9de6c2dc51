import type { ModelProblem } from '../../../shared/model/model-problem.ts';

/** A successful HTTP response that is not the answer of a model: a web page, or an error in the body. */
export class ServiceAnswerError extends Error {
  override readonly name = 'ServiceAnswerError';
  readonly problem: ModelProblem;
  readonly status: number;

  constructor(problem: ModelProblem, status: number, said: string) {
    super(said);
    this.problem = problem;
    this.status = status;
  }
}
