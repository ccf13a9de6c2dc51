import { createCatalogue } from './catalogue.ts';
import { TEXTS } from './texts/command-line.ts';

/** The texts of the command line. */
export const commandLineTexts = createCatalogue(TEXTS);
