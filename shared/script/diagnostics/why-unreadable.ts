import type { ErrorCode } from '../../errors.ts';
import type { LocalText } from '../../model/text.ts';

/** The user-visible reason why a file of the game could not be read as text. */
export function whyUnreadable(code: ErrorCode): LocalText {
  return REASONS[code] ?? { 'zh-CN': code, en: code };
}

const REASONS: Readonly<Partial<Record<ErrorCode, LocalText>>> = {
  E_ENCODING: {
    'zh-CN': '它不是 UTF-8 文本：也许是别的编码，也许根本不是文本。',
    en: 'it is not UTF-8 text: another encoding perhaps, or no text at all.',
  },
  E_TOO_LARGE: { 'zh-CN': '它太大了。', en: 'it is too large.' },
  E_DENY_PATH: { 'zh-CN': '它通向游戏文件夹之外。', en: 'it leads out of the game’s folder.' },
  E_IO: { 'zh-CN': '系统不让打开它。', en: 'the system does not let it be opened.' },
};
