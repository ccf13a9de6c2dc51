import { UnstyledButton } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { TransactionEntry } from '../../../shared/model/transactions/transaction-page.ts';
import { toVisible } from '../../../shared/text/shown-text.ts';
import { toSpelled } from '../../../shared/text/spelled-text.ts';
import { useNow } from '../../ui/hooks/use-now.ts';
import { Spelled } from '../../ui/text/spelled.tsx';
import { timeAgo } from '../../ui/text/time-ago.ts';
import classes from './change-log.module.css';

interface ChangeLogRowProps {
  entry: TransactionEntry;
  isSelected: boolean;
  tabIndex: 0 | -1 | undefined;
  onSelect: () => void;
}

/** A restore with a title undoes the change of that title. */
function toTitle({ title, origin }: TransactionEntry, t: TFunction<'history'>): string {
  const spelled = toSpelled(title);
  if (spelled === '') return t(`untitled.${origin}`);
  return origin === 'restore' ? t('log.undoing', { title: spelled }) : spelled;
}

/** One change: title, status, time, origin and files. */
export function ChangeLogRow({ entry, isSelected, tabIndex, onSelect }: ChangeLogRowProps) {
  const { t, i18n } = useTranslation('history');
  const now = useNow();
  const at = Date.parse(entry.at);
  const [first] = entry.files;
  const name = first ? toVisible(first.path.replace(/^game\/(scene\/)?/, '')) : '';
  return (
    <UnstyledButton
      className={classes.row}
      aria-current={isSelected ? 'true' : undefined}
      {...(tabIndex !== undefined && { tabIndex })}
      onClick={onSelect}
    >
      <span className={classes.title}>
        <Spelled text={toTitle(entry, t)} />
      </span>
      <span className={classes.status} data-status={entry.status}>
        {t(`log.status.${entry.status}`)}
      </span>
      <span className={classes.about}>
        {t(`origin.${entry.origin}`)}
        {' · '}
        {entry.fileCount === 1 ? name : t('files', { count: entry.fileCount })}
      </span>
      <time className={classes.when} dateTime={entry.at} title={new Date(at).toLocaleString(i18n.language)}>
        {timeAgo(at, i18n.language, now)}
      </time>
    </UnstyledButton>
  );
}
