import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChatRow } from './chat-rows.ts';
import { useOpenRow } from './list/use-open-row.ts';
import classes from './rows.module.css';
import { ToolRow } from './tool-row.tsx';

interface FoldRowProps {
  row: Extract<ChatRow, { kind: 'fold' }>;
}

/** Finished calls as one summary line; expanded, it lists each step. */
export function FoldRow({ row }: FoldRowProps) {
  const { t } = useTranslation('chat');
  const [isOpen, setOpen] = useOpenRow(row.id);
  const id = useId();
  const sentence = row.counts.map(({ action, count }) => t(`fold.${action}`, { count })).join(t('fold.separator'));
  return (
    <div>
      <UnstyledButton
        className={classes.quiet}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <IconChevronRight size={13} className={classes.chevron} aria-hidden />
        <span className={classes.sentence}>{sentence}</span>
      </UnstyledButton>
      {isOpen && (
        <div id={id} className={classes.inner}>
          {row.items.map((item) =>
            item.kind === 'tool' ? (
              <ToolRow key={item.id} item={item} />
            ) : (
              <div key={item.id} className={classes.thought}>
                {item.kind === 'note' && item.title ? `${item.title} ` : ''}
                {item.text}
              </div>
            ),
          )}
        </div>
      )}
    </div>
  );
}
