import { createCatalogue } from './catalogue.ts';
import { TEXTS } from './texts/project.ts';

/** The texts that become part of a game or its history. */
export const projectTexts = createCatalogue(TEXTS);
