import type { Severity } from '../../../model/diagnostic.ts';
import type { LocalText } from '../../../model/text.ts';

/** The declaration of a diagnostic code. */
export interface Declaration {
  kind: 'syntax' | 'resource' | 'style';
  severity: Severity;
  /** What the engine will do; `{name}` is replaced by the finding's value of that name. */
  message: LocalText;
  /** What to do about it. */
  hint?: LocalText;
  /** A line with the problem. */
  example: string;
}

export const declare = (
  severity: Severity,
  kind: Declaration['kind'],
  say: { zh: string; en: string; hintZh?: string; hintEn?: string; example: string },
): Declaration => ({
  kind,
  severity,
  message: { 'zh-CN': say.zh, en: say.en },
  ...(say.hintZh !== undefined && say.hintEn !== undefined && { hint: { 'zh-CN': say.hintZh, en: say.hintEn } }),
  example: say.example,
});
