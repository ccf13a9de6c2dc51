import { useTranslation } from 'react-i18next';
import { MAX_MESSAGE_CHARACTERS } from '../../../shared/model/message/message-text.ts';

/**
 * Returns a sentence for a message that is too long to be sent, otherwise null. The fields accept such a text: one that is cut while
 * it is pasted loses its end without the user noticing.
 */
export function useLengthProblem(text: string): string | null {
  const { t, i18n } = useTranslation('chat');
  const { length } = text.trim();
  if (length <= MAX_MESSAGE_CHARACTERS) return null;
  const format = (value: number) => value.toLocaleString(i18n.language);
  return t('composer.tooLong', { length: format(length), limit: format(MAX_MESSAGE_CHARACTERS) });
}
