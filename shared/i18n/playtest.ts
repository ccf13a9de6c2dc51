import { createCatalogue, type MessageKey, type Translate } from './catalogue.ts';
import { TEXTS } from './texts/playtest.ts';

/** The texts of playtests, for the command line, the page and the tools. */
export const playtestTexts = createCatalogue(TEXTS);

export type PlaytestKey = MessageKey<(typeof TEXTS)['en']>;
export type TranslatePlaytest = Translate<PlaytestKey>;
