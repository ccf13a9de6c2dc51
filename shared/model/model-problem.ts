import { z } from 'zod';

/**
 * Everything that can go wrong between the app and a model, as a closed list: each has one sentence for the writer at
 * `errors:model.<problem>`. A failed connection test carries the bare name, an `ErrorData` the full reason.
 */
export const MODEL_PROBLEMS = [
  /** No provider chosen in the settings. */
  'noProvider',
  /** The chosen provider needs a key and none is kept. */
  'noKey',
  /** The key that is kept was entered for another address. */
  'keyElsewhere',
  /** The service address is not one we may call. */
  'address',
  /** The service refuses the key. */
  'key',
  /** The account has no money left. */
  'balance',
  /** The key may not use this model, or the service refuses this region. */
  'forbidden',
  /** No such model, or no such address at the service. */
  'notFound',
  /** Too many requests for now. */
  'rate',
  /** The service is busy or broken at its end. */
  'overloaded',
  /** Nobody answers at the address. */
  'unreachable',
  /** The name in the address leads nowhere. */
  'dns',
  /** The service's certificate is not trusted here. */
  'certificate',
  /** The conversation is longer than the model can read. */
  'tooLong',
  /** The service's content filter stopped the answer. */
  'filtered',
  /** The model answered with nothing. */
  'empty',
  /** The answer broke off. */
  'cutOff',
  /** The answer grew beyond what any answer needs and was ended. */
  'endless',
  /** The answer was not what a model service says. */
  'badAnswer',
  /** The service stayed silent for too long. */
  'timeout',
] as const;

export const ModelProblem = z.enum(MODEL_PROBLEMS);
export type ModelProblem = z.infer<typeof ModelProblem>;

/** The `reason` under which an error with this problem travels. */
export function toModelReason(problem: ModelProblem): `model.${ModelProblem}` {
  return `model.${problem}`;
}
