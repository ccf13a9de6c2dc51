import { createCatalogue, type MessageKey } from './catalogue.ts';
import { TEXTS } from './texts/commands.ts';

/** The documentation of the commands and the texts of hovers. */
export const commandTexts = createCatalogue(TEXTS);

export type CommandKey = MessageKey<(typeof TEXTS)['en']>;
