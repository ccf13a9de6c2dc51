import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UsageTotal } from '../../../shared/model/cost/usage.ts';
import { api } from '../../api.ts';
import classes from './context-meter.module.css';
import { toSpentText } from './spent-text.ts';

interface SpendingTableProps {
  turn: UsageTotal;
  session: UsageTotal;
}

/** What the turn, the conversation and the day cost. */
export function SpendingTable({ turn, session }: SpendingTableProps) {
  const { t, i18n } = useTranslation('chat');
  const [today, setToday] = useState<UsageTotal | null>(null);
  useEffect(() => {
    let isShown = true;
    // Again after each request of this conversation; the app may be gone meanwhile.
    void session;
    api.call('spending.today', {}).then(
      ({ total }) => isShown && setToday(total),
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, [session]);
  const rows = { turn, session, ...(today && { today }) };
  return (
    <>
      <dl className={classes.spending}>
        {Object.entries(rows).map(([name, total]) => (
          <div key={name}>
            <dt>{t(`spending.${name as keyof typeof rows}`)}</dt>
            <dd>{toSpentText(total, { t, locale: i18n.language })}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.text}>{t('spending.hint')}</p>
    </>
  );
}
