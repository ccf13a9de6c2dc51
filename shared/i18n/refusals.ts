import type { LocalText } from '../model/local-text.ts';
import { createCatalogue, type MessageKey, type MessageValues } from './catalogue.ts';
import { TEXTS } from './texts/refusals.ts';

const refusalTexts = createCatalogue(TEXTS);

type RefusalKey = MessageKey<(typeof TEXTS)['en']>;

/** Returns why something was not accepted, as the end of a sentence, in every language: programs read the English one. */
export function refusalText(key: RefusalKey, values?: MessageValues<RefusalKey>): LocalText {
  return refusalTexts.toLocalText(key, values);
}
