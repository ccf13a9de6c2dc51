import { z } from 'zod';
import { Role } from './role.ts';

/** Who calls a capability. `client`: another program, over MCP or the discovery API. */
export const Caller = z.object({
  type: z.enum(['model', 'user', 'system', 'client', 'provider']),
  id: z.string().max(200),
  name: z.string().max(200).optional(),
  role: Role,
});
export type Caller = z.infer<typeof Caller>;
