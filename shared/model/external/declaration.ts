import { z } from 'zod';

/** The parts of what another program declares of a capability, and which program it is. */
export const DECLARATION_PARTS = ['program', 'name', 'description', 'arguments', 'type', 'risk', 'effects'] as const;
export const DeclarationPart = z.enum(DECLARATION_PARTS);
export type DeclarationPart = z.infer<typeof DeclarationPart>;

/** What was declared when the user allowed it: a digest of each part, so that the settings say what changed without the text. */
export const Declaration = z.record(DeclarationPart, z.string().max(64));
export type Declaration = z.infer<typeof Declaration>;

/**
 * What another program says that its capability does, in the order of the sentence (`common:claim.<name>`). The app cannot check any
 * of it. `within`: it reaches nothing outside of itself.
 */
export const CLAIMS = [
  'reads',
  'adds',
  'destroys',
  'internet',
  'within',
  'fileRead',
  'fileWrite',
  'fileDelete',
  'programs',
  'git',
  'services',
] as const;
export const Claim = z.enum(CLAIMS);
export type Claim = z.infer<typeof Claim>;
