import { z } from 'zod';
import { ErrorData } from '../../../../../shared/errors.ts';
import { Asset } from '../../../../../shared/model/asset/asset.ts';
import { UsageTotal } from '../../../../../shared/model/cost/usage.ts';

/** The outcome of a call. */
export const ToolResultEvent = z.object({
  t: z.literal('tool.result'),
  at: z.number(),
  turn: z.string(),
  step: z.string(),
  call: z.string(),
  name: z.string(),
  ok: z.boolean(),
  value: z.unknown().optional(),
  error: ErrorData.optional(),
  /** Pictures and sounds that the call returned; their bytes are in the store of assets. */
  assets: z.array(Asset).optional().catch(undefined),
  /** The versions of texts that the call showed or wrote; null: the file is gone. */
  seen: z.record(z.string(), z.string().nullable()).optional(),
  /** What the requests to a model used that the call made. */
  spent: UsageTotal.optional().catch(undefined),
});
