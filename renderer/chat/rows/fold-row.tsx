import { useTranslation } from 'react-i18next';
import classes from '../chat-rows.module.css';
import type { ChatRow } from '../chat-rows.ts';
import { Disclosure } from './disclosure.tsx';
import { ToolRow } from './tool-row.tsx';

interface FoldRowProps {
  row: Extract<ChatRow, { kind: 'fold' }>;
}

/** Finished calls as one summary line; expanded, it lists each step. */
export function FoldRow({ row }: FoldRowProps) {
  const { t } = useTranslation('chat');
  const sentence = row.counts.map(({ action, count }) => t(`fold.${action}`, { count })).join(t('fold.separator'));
  return (
    <Disclosure row={row.id} label={<span className={classes.sentence}>{sentence}</span>}>
      {() =>
        row.items.map((item) =>
          item.kind === 'tool' ? (
            <ToolRow key={item.id} item={item} />
          ) : (
            <div key={item.id} className={classes.thought}>
              {item.kind === 'note' && item.title ? `${item.title} ` : ''}
              {item.text}
            </div>
          ),
        )
      }
    </Disclosure>
  );
}
