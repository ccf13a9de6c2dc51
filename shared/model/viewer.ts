import { z } from 'zod';
import { Picture } from './message/picture.ts';
import { VIEWERS, type ViewerAction } from './viewer/viewers.ts';

type Actions = (typeof VIEWERS)['editor']['actions'] &
  (typeof VIEWERS)['stage']['actions'] &
  (typeof VIEWERS)['map']['actions'];

/** The id of an action; unique among all viewers. */
export type ViewerActionId = keyof Actions;

const ALL: Record<ViewerActionId, ViewerAction> = Object.assign(
  {},
  ...Object.values(VIEWERS).map(({ actions }) => actions),
);

/** The ids of the actions that the assistant may call, in the order of the declaration. */
export const VIEWER_ACTION_IDS = Object.entries(ALL)
  .filter(([, { agentInvocable }]) => agentInvocable)
  .map(([id]) => id) as [ViewerActionId, ...ViewerActionId[]];

export function viewerAction(id: ViewerActionId): ViewerAction {
  return ALL[id];
}

/** The arguments of an action, as its handler receives them. */
export type ViewerParams<A extends ViewerActionId> = {
  [P in keyof Actions[A]['params'] as Actions[A]['params'][P] extends { required: true } ? P : never]: ParamValue<
    Actions[A]['params'][P]
  >;
} & {
  [P in keyof Actions[A]['params'] as Actions[A]['params'][P] extends { required: true } ? never : P]?: ParamValue<
    Actions[A]['params'][P]
  >;
};

type ParamValue<P> = P extends { type: 'number' } ? number : P extends { type: 'boolean' } ? boolean : string;

const MAX_STRING = 2000;
const LARGEST_NUMBER = 10_000_000;

const TYPES = {
  string: z.string().min(1).max(MAX_STRING),
  number: z.int().min(0).max(LARGEST_NUMBER),
  boolean: z.boolean(),
};

/** The arguments of an action before they are checked against its declaration. */
export const ViewerArguments = z.record(z.string(), z.union(Object.values(TYPES)));
export type ViewerArguments = z.infer<typeof ViewerArguments>;

/** Returns the schema of the arguments of an action; unknown arguments are refused. */
export function toParamsSchema(id: ViewerActionId): z.ZodType<ViewerArguments> {
  const shape = Object.entries(viewerAction(id).params).map(([name, { type, required }]) => [
    name,
    required ? TYPES[type] : TYPES[type].optional(),
  ]);
  return z.strictObject(Object.fromEntries(shape)) as unknown as z.ZodType<ViewerArguments>;
}

export const ViewerActionId = z.enum(VIEWER_ACTION_IDS);

export const VIEWER_IDS = Object.keys(VIEWERS) as [keyof typeof VIEWERS, ...(keyof typeof VIEWERS)[]];

/** Longest message of an action, in UTF-16 code units. */
export const MAX_VIEWER_MESSAGE = 2000;

/** What became of an action. `data` is in words for the model, bounded. */
export const ViewerResult = z.strictObject({
  success: z.boolean(),
  message: z.string().max(MAX_VIEWER_MESSAGE).optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  /** A picture that the model receives after the answer. */
  picture: Picture.optional(),
});
export type ViewerResult = z.infer<typeof ViewerResult>;

/** A request to the page `page`; all other pages ignore it. */
export const ViewerRequest = z.object({
  request: z.string(),
  page: z.string(),
  action: ViewerActionId,
  params: ViewerArguments,
});
export type ViewerRequest = z.infer<typeof ViewerRequest>;
