import { z } from 'zod';
import { PagePosition } from './common-types.ts';
import { CapabilityError } from './layered-error.ts';
import { Deprecation } from './manifest.ts';

/** What every call of a capability is answered with. */
export const CapabilityResponse = z.strictObject({
  success: z.boolean(),
  requestId: z.uuid(),
  timestamp: z.iso.datetime(),
  /** Present where it succeeded. */
  data: z.record(z.string(), z.unknown()).optional(),
  /** Present where it failed. */
  error: CapabilityError.optional(),
  metadata: z.strictObject({
    /** Milliseconds. */
    executionTime: z.int().min(0),
    /** What answered: the app, or a provider. */
    serverId: z.string(),
    snapshotId: z.string().nullable().optional(),
    capabilityId: z.string().optional(),
    capabilityVersion: z.string().optional(),
    /** Present where the capability will be removed. */
    deprecated: Deprecation.optional(),
  }),
  /** Present where `data` is a part of a list. */
  pagination: PagePosition.optional(),
});
export type CapabilityResponse = z.infer<typeof CapabilityResponse>;
