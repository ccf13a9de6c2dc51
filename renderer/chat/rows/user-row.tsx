import { VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { sceneName } from '../scene-name.ts';
import type { ItemOf } from './chat-rows.ts';
import classes from './rows.module.css';

interface UserRowProps {
  item: ItemOf<'user'>;
}

/** A message of the user, with the context that was sent. */
export function UserRow({ item }: UserRowProps) {
  const { t } = useTranslation('chat');
  const [, path, line] = /^(.+):(\d+)$/.exec(item.context ?? '') ?? [];
  const where = path ? t('composer.contextLine', { scene: sceneName(path), line }) : '';
  const notes = [item.mode === 'plan' ? t('userMode') : '', where].filter(Boolean);
  return (
    <div className={classes.user}>
      <div className={classes.bubble}>
        <VisuallyHidden>{t('you')}: </VisuallyHidden>
        {item.text}
      </div>
      {notes.length > 0 && <span className={classes.under}>{notes.join(' · ')}</span>}
    </div>
  );
}
