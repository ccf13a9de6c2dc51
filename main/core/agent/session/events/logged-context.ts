import { z } from 'zod';

/** As of `shared/model/message/editor-context.ts`; lenient, because logs outlive its rules. */
export const LoggedContext = z.object({
  path: z.string().optional(),
  line: z.int().optional(),
  selection: z.string().optional(),
  visible: z.tuple([z.int(), z.int()]).optional().catch(undefined),
  stage: z
    .object({
      ...{ scene: z.string(), line: z.int(), problems: z.int().optional() },
      news: z.array(z.record(z.string(), z.unknown())).optional(),
    })
    .optional()
    .catch(undefined),
  problems: z.object({ errors: z.int(), warnings: z.int() }).optional().catch(undefined),
});
