import type { Locale } from '../model/local-text.ts';
import { createCatalogue, type MessageKey } from './catalogue.ts';
import { TEXTS } from './texts/risks.ts';

const riskTexts = createCatalogue(TEXTS);

type RiskReason = MessageKey<(typeof TEXTS)['en']>;

/** Returns why a risk has its level, in one sentence: `reason` names it, as the declarations of tools do. Other texts stay as they are. */
export function toRiskSentence(reason: string, locale: Locale): string {
  return isRiskReason(reason) ? riskTexts.translate(locale, reason) : reason;
}

export function isRiskReason(reason: string): reason is RiskReason {
  return Object.hasOwn(TEXTS.en, reason);
}
