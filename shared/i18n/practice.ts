import { createCatalogue } from './catalogue.ts';
import { TEXTS } from './texts/practice.ts';

/** The texts of the practice assistant, which introduces itself as such. */
export const practiceTexts = createCatalogue(TEXTS);
