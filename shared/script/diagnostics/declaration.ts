import type { Severity } from '../../model/diagnostic.ts';
import type { LocalText } from '../../model/text.ts';

/** One kind of finding: everything that is said about it anywhere. */
export interface Declaration {
  kind: 'syntax' | 'resource' | 'style';
  severity: Severity;
  /** What the engine will do; `{name}` is replaced by the finding's values. */
  message: LocalText;
  /** What to do about it. */
  hint?: LocalText;
  /** A line that has it. */
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
