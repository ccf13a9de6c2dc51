import { Loader } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../chat-rows.module.css';
import type { ItemOf } from '../chat-rows.ts';
import { createBlockSplitter } from '../text/split-blocks.ts';
import { Disclosure } from './disclosure.tsx';

interface ThinkingRowProps {
  item: ItemOf<'thinking'>;
}

/** The reasoning text of the model: a label while it streams, and the text if expanded. */
export function ThinkingRow({ item }: ThinkingRowProps) {
  const { t } = useTranslation('chat');
  const [toBlocks] = useState(createBlockSplitter);
  return (
    <Disclosure
      row={item.id}
      icon={item.streaming ? <Loader size={12} aria-hidden /> : undefined}
      label={t(item.streaming ? 'thinking.live' : 'thinking.done')}
    >
      {/* Separate blocks, so that layout is limited to the growing one. */}
      {() =>
        toBlocks(item.text).map(({ start, source }) => (
          <div key={start} className={classes.thought}>
            {source.trimEnd()}
          </div>
        ))
      }
    </Disclosure>
  );
}
