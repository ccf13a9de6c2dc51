import type { z } from 'zod';

/** Declares a method of the contract by the schemas of what it takes and returns. */
export const method = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output });
