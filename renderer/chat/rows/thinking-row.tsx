import { Loader, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createBlockSplitter } from '../text/split-blocks.ts';
import type { ItemOf } from './chat-rows.ts';
import { useOpenRow } from './list/use-open-row.ts';
import classes from './rows.module.css';

interface ThinkingRowProps {
  item: ItemOf<'thinking'>;
}

/** The reasoning text of the model: a label while it streams, and the text if expanded. */
export function ThinkingRow({ item }: ThinkingRowProps) {
  const { t } = useTranslation('chat');
  const [isOpen, setOpen] = useOpenRow(item.id);
  const [toBlocks] = useState(createBlockSplitter);
  const id = useId();
  return (
    <div>
      <UnstyledButton
        className={classes.quiet}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {item.streaming ? (
          <Loader size={12} aria-hidden />
        ) : (
          <IconChevronRight size={13} className={classes.chevron} aria-hidden />
        )}
        {item.streaming ? t('thinking.live') : t('thinking.done')}
      </UnstyledButton>
      {isOpen && (
        <div id={id} className={classes.inner}>
          {/* Separate blocks, so that layout is limited to the growing one. */}
          {toBlocks(item.text).map(({ start, source }) => (
            <div key={start} className={classes.thought}>
              {source.trimEnd()}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
