import { z } from 'zod';

export const LOCALES = ['zh-CN', 'en'] as const;
export const Locale = z.enum(LOCALES);
export type Locale = z.infer<typeof Locale>;

/** A sentence in every language of the app, for texts created outside the page's i18n. */
export const LocalText = z.object({ 'zh-CN': z.string(), en: z.string() });
export type LocalText = z.infer<typeof LocalText>;
