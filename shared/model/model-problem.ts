import { z } from 'zod';

/**
 * Everything that can go wrong between the app and a model, as a closed list: each has one message for the user at
 * `errors:model.<problem>`. A failed connection test carries the bare name, an `ErrorData` the full reason.
 */
export const MODEL_PROBLEMS = [
  /** No provider is chosen in the settings. */
  'noProvider',
  /** The chosen provider needs a key and none is stored. */
  'noKey',
  /** The stored key was entered for another address. */
  'keyElsewhere',
  /** No model is named in the settings. */
  'noModel',
  /** The provider address is not one that the app may call. */
  'address',
  /** The provider refuses the key. */
  'key',
  /** The account has no balance left. */
  'balance',
  /** The key may not use this model, or the provider refuses this region. */
  'forbidden',
  /** The provider has no such model. */
  'notFound',
  /** The provider has no such path: the address is wrong behind the host name. */
  'wrongPath',
  /** The address begins with http where the server speaks https, or the reverse. */
  'scheme',
  /** A web page answered instead of an API. */
  'webPage',
  /** The model cannot call tools. */
  'noTools',
  /** The model does not see pictures. */
  'noPictures',
  /** Rate limit reached. */
  'rate',
  /** The provider is overloaded or failing. */
  'overloaded',
  /** No server answers at the address. */
  'unreachable',
  /** The host name does not resolve. */
  'dns',
  /** The provider's certificate is not trusted. */
  'certificate',
  /** The conversation exceeds the model's context window. */
  'tooLong',
  /** The provider's content filter stopped the answer. */
  'filtered',
  /** The model's answer was empty. */
  'empty',
  /** The answer ended early. */
  'cutOff',
  /** The longest answer of the model was reached. */
  'lengthLimit',
  /** The provider ended the answer for a reason that is not known. */
  'unknownEnd',
  /** The answer exceeded the size limit and was stopped. */
  'endless',
  /** The answer does not follow the provider's protocol. */
  'badAnswer',
  /** The answer is complete JSON that is neither a completion nor an error. */
  'notStreamed',
  /** The provider refused the request, or reported an error, without a known reason. */
  'refused',
  /** The computer that runs the model has too little memory for it. */
  'memory',
  /** The provider did not respond in time. */
  'timeout',
] as const;

export const ModelProblem = z.enum(MODEL_PROBLEMS);
export type ModelProblem = z.infer<typeof ModelProblem>;

/** The `reason` of an error with this problem. */
export function toModelReason(problem: ModelProblem): `model.${ModelProblem}` {
  return `model.${problem}`;
}
