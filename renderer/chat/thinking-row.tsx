import { Loader, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ItemOf } from './chat-rows.ts';
import classes from './rows.module.css';

interface ThinkingRowProps {
  item: ItemOf<'thinking'>;
}

/** The model's thinking, folded: one word while it goes on, the text for whoever wants it. */
export function ThinkingRow({ item }: ThinkingRowProps) {
  const { t } = useTranslation('chat');
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div>
      <UnstyledButton
        className={classes.quiet}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {item.streaming ? (
          <Loader size={12} aria-hidden />
        ) : (
          <IconChevronRight size={13} className={classes.chevron} aria-hidden />
        )}
        {item.streaming ? t('thinking.live') : t('thinking.done')}
      </UnstyledButton>
      <div id={id} hidden={!isOpen} className={classes.inner}>
        <div className={classes.thought}>{item.text}</div>
      </div>
    </div>
  );
}
