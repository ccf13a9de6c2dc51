import { Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useChat } from '../../state/chat/chat-store.ts';
import { formatTokens } from './token-count.ts';
import classes from './turn-usage.module.css';

/** Token usage of the current turn; of the whole conversation on demand. */
export function TurnUsage() {
  const { t, i18n } = useTranslation('chat');
  const turn = useChat((state) => state.chat?.turnUsage);
  const session = useChat((state) => state.chat?.sessionUsage);
  if (!turn || !session || turn.input + turn.output === 0) return null;
  const show = (count: number) => formatTokens(count, i18n.language);
  const detail = t('composer.usageDetail', {
    input: show(turn.input),
    cached: show(turn.cached),
    output: show(turn.output),
    session: show(session.input + session.output),
  });
  return (
    <Tooltip label={detail} multiline maw={280}>
      <span className={classes.root}>{t('composer.usage', { tokens: show(turn.input + turn.output) })}</span>
    </Tooltip>
  );
}
