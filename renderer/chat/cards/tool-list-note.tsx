import { Button } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api.ts';
import { useAppChanges } from '../../state/app-changes.ts';
import { useChat } from '../../state/chat/chat-store.ts';
import { useBusy } from '../../ui/hooks/use-busy.ts';
import classes from './practice-banner.module.css';

/**
 * States that tools of connected programs came, went or changed since this conversation began, and offers the present ones. They are not
 * replaced by themselves: models read a conversation with another list of tools anew, which costs more.
 */
export function ToolListNote() {
  const { t } = useTranslation('chat');
  const [count, setCount] = useState(0);
  const [isBusy, run] = useBusy();
  const changes = useAppChanges((state) => state.tools + state.project + state.connection);
  const session = useChat((state) => state.chat?.session);
  const rows = useChat((state) => state.chat?.items.length ?? 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: changes, another conversation and its rows trigger a new request: the first message takes the present tools
  useEffect(() => {
    let isLatest = true;
    api.call('tools.pending', {}).then(
      ({ added, removed, changed }) => isLatest && setCount(added + removed + changed),
      // Without an open game there is no conversation.
      () => isLatest && setCount(0),
    );
    return () => {
      isLatest = false;
    };
  }, [changes, session, rows]);
  if (count === 0 || rows === 0) return null;
  const renew = async () => {
    await api.call('tools.renew', {});
    setCount(0);
  };
  return (
    <section className={classes.root} aria-label={t('toolList.label')}>
      <p className={classes.note} role="status">
        <IconPlugConnected size={16} aria-hidden />
        <span>{t('toolList.text', { count })}</span>
      </p>
      <Button variant="default" loading={isBusy} onClick={() => run(renew)}>
        {t('toolList.renew')}
      </Button>
    </section>
  );
}
