import { z } from 'zod';

/** The parts of what another program declares of a capability, and which program it is. */
export const DECLARATION_PARTS = ['program', 'name', 'description', 'arguments', 'type', 'risk', 'effects'] as const;
export const DeclarationPart = z.enum(DECLARATION_PARTS);
export type DeclarationPart = z.infer<typeof DeclarationPart>;

/** What was declared when the user allowed it: a digest of each part, so that the settings say what changed without the text. */
export const Declaration = z.record(DeclarationPart, z.string().max(64));
export type Declaration = z.infer<typeof Declaration>;
