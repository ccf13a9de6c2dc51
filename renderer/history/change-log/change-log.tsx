import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconDownload, IconListCheck, IconRefresh } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api.ts';
import { notify, notifyError } from '../../state/notify.ts';
import { VirtualList } from '../../ui/list/virtual-list.tsx';
import { Message } from '../../ui/message.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { describeError } from '../../ui/text/describe-error.ts';
import shared from '../history-view.module.css';
import classes from './change-log.module.css';
import { ChangeLogDetails } from './change-log-details.tsx';
import { ChangeLogFilters } from './change-log-filters.tsx';
import { ChangeLogRow } from './change-log-row.tsx';
import { type ChangeLog as Log, useChangeLog } from './use-change-log.ts';

/** Everything that was written to this game, and what became of it: filters, texts, undo, export. */
export function ChangeLog() {
  const { t } = useTranslation('history');
  const log = useChangeLog();
  const { filter, entries, setAside, unwritten, error, setFilter, refresh } = log;
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <div className={shared.root}>
      <div className={classes.head}>
        <ChangeLogFilters filter={filter} onChange={setFilter} />
        <span className={classes.end}>
          <Tooltip label={t('log.refresh')}>
            <ActionIcon variant="subtle" color="gray" aria-label={t('log.refresh')} onClick={refresh}>
              <IconRefresh size={16} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
          <ExportButton log={log} />
        </span>
      </div>
      {setAside.length > 0 && (
        <p className={shared.noteLine} data-tone="warn">
          {t('log.setAside', { count: setAside.length, files: setAside.join(t('common:listSeparator')) })}
        </p>
      )}
      {unwritten > 0 && (
        <p className={shared.noteLine} data-tone="warn">
          {t('log.unwritten', { count: unwritten })}
        </p>
      )}
      {error !== null && (
        <Message tone="error" text={describeError(error, t)}>
          <Button onClick={refresh}>{t('log.refresh')}</Button>
        </Message>
      )}
      {error === null && !entries && <Message text={t('common:loading')} />}
      {entries?.length === 0 &&
        (isFiltered ? (
          <Message text={t('log.none')}>
            <Button variant="default" onClick={() => setFilter({})}>
              {t('log.clear')}
            </Button>
          </Message>
        ) : (
          <Message icon={<IconListCheck size={22} stroke={1.5} />} text={t('log.empty')} hint={t('log.emptyHint')} />
        ))}
      {entries && entries.length > 0 && <Entries entries={entries} />}
    </div>
  );
}

function Entries({ entries }: { entries: NonNullable<Log['entries']> }) {
  const { t } = useTranslation('history');
  const scroller = useRef<HTMLDivElement>(null);
  const [selected, select] = useState<string | null>(null);
  const current = entries.findIndex(({ id }) => id === selected);
  const entry = entries[current];
  return (
    <div className={shared.split}>
      <div className={shared.groups} ref={scroller}>
        <VirtualList
          items={entries}
          label={t('log.list')}
          className={shared.list}
          scroller={scroller}
          toText={({ title }) => title}
          current={current}
        >
          {(each, tabIndex) => (
            <ChangeLogRow
              key={each.id}
              entry={each}
              isSelected={each.id === selected}
              tabIndex={tabIndex}
              onSelect={() => select(each.id)}
            />
          )}
        </VirtualList>
      </div>
      {entry ? <ChangeLogDetails key={entry.id} entry={entry} /> : <Message text={t('log.pick')} />}
    </div>
  );
}

function ExportButton({ log: { filter, entries } }: { log: Log }) {
  const { t } = useTranslation('history');
  const save = async () => {
    try {
      const { text, count } = await api.call('transactions.export', { filter });
      saveFile(new Blob([text], { type: 'application/jsonl' }), 'webgal-agent-changes.jsonl');
      notify({ level: 'success', text: t('log.exported', { count }) });
    } catch (failure) {
      notifyError(failure);
    }
  };
  return (
    <Button
      size="xs"
      variant="default"
      disabled={!entries || entries.length === 0}
      leftSection={<IconDownload size={14} stroke={1.6} aria-hidden />}
      onClick={() => void save()}
    >
      {t('log.export')}
    </Button>
  );
}
