import { ActionIcon, Button, CloseButton, Menu, Pagination, Tooltip } from '@mantine/core';
import { IconDownload, IconListDetails, IconRefresh } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { AuditFilter } from '../../shared/model/audit.ts';
import { toLocalText } from '../../shared/model/local-text.ts';
import { api } from '../api.ts';
import { showView } from '../state/navigation.ts';
import { notify, notifyError } from '../state/notify.ts';
import { Message } from '../ui/message.tsx';
import { PaneHeader } from '../ui/pane-header.tsx';
import { saveFile } from '../ui/save-file.ts';
import { describeError } from '../ui/text/describe-error.ts';
import { AuditLogFilters } from './audit-log-filters.tsx';
import { AuditLogRow } from './audit-log-row.tsx';
import classes from './audit-log-view.module.css';
import { PAGE_SIZE, useAuditLog } from './use-audit-log.ts';

const TYPES = { csv: 'text/csv', jsonl: 'application/jsonl', events: 'application/jsonl' } as const;
const FORMATS = { csv: 'exportCsv', jsonl: 'exportJsonl', events: 'exportEvents' } as const;
/** Names of lines about decisions of the user. */
const DECISIONS = [
  ...(['accept_proposal', 'reject_proposal', 'restore_files', 'commit_files'] as const),
  ...(['change_settings', 'answer_call', 'create_token', 'remove_token', 'set_key', 'remove_key'] as const),
];

const isDecision = (name: string): name is (typeof DECISIONS)[number] => DECISIONS.some((each) => each === name);

interface AuditLogViewProps {
  /** Closes the view where it is shown without a game. */
  onClose?: () => void;
}

/**
 * The audit log: all tool calls in this game, including refused ones, and what the user changed in the app, with filters and export.
 * Without a game the latter alone.
 */
export function AuditLogView({ onClose }: AuditLogViewProps) {
  const { t, i18n } = useTranslation('audit-log');
  const { filter, page, shown, error, isReading, tools, setFilter, setPage, refresh } = useAuditLog();
  const isFiltered = Object.keys(filter).length > 0;
  const toTitle = (name: string) => {
    const tool = tools.find((each) => each.name === name);
    if (tool) return toLocalText(tool.title, i18n.language);
    return isDecision(name) ? t(`decisionOf.${name}`) : name === '[unknown]' ? t('unknownTool') : name;
  };

  const isEmpty = shown !== null && shown.total === 0;
  return (
    <>
      <PaneHeader title={t('title')} note={t(onClose ? 'noteOfApp' : 'note')}>
        <Tooltip label={t('refresh')}>
          <ActionIcon aria-label={t('refresh')} loading={isReading && shown !== null} onClick={refresh}>
            <IconRefresh size={17} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
        <Menu position="bottom-end">
          <Menu.Target>
            <Button
              size="xs"
              variant="default"
              disabled={!shown || isEmpty}
              leftSection={<IconDownload size={14} stroke={1.6} />}
            >
              {t('export')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {(['csv', 'jsonl', 'events'] as const).map((format) => (
              <Menu.Item key={format} onClick={() => void save(filter, format, t)}>
                {t(FORMATS[format])}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        {onClose && <CloseButton aria-label={t('common:close')} onClick={onClose} />}
      </PaneHeader>
      {(isFiltered || !isEmpty) && error === null && (
        <AuditLogFilters filter={filter} tools={shown?.tools ?? []} toTitle={toTitle} onChange={setFilter} />
      )}
      {error !== null && (
        <Message tone="error" text={describeError(error, t)}>
          <Button onClick={refresh} loading={isReading}>
            {t('refresh')}
          </Button>
          {isFiltered && (
            <Button variant="default" onClick={() => setFilter({})}>
              {t('clear')}
            </Button>
          )}
          {!onClose && <ToWriting />}
        </Message>
      )}
      {error === null && !shown && <Message text={t('common:loading')} />}
      {isEmpty && !isFiltered && (
        <Message
          icon={<IconListDetails size={22} stroke={1.5} />}
          text={t(onClose ? 'emptyOfApp' : 'empty')}
          hint={t(onClose ? 'emptyHintOfApp' : 'emptyHint')}
        >
          {!onClose && <ToWriting />}
        </Message>
      )}
      {isEmpty && isFiltered && (
        <Message text={t('none')} hint={t('noneHint')}>
          <Button variant="default" onClick={() => setFilter({})}>
            {t('clear')}
          </Button>
        </Message>
      )}
      {shown && !isEmpty && (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
          <section className={classes.scroll} tabIndex={0} aria-label={t('list')} aria-busy={isReading}>
            <ol className={classes.list}>
              {shown.entries.map((entry, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: call ids of other programs may repeat
                <AuditLogRow key={`${entry.at} ${entry.call} ${index}`} entry={entry} title={toTitle(entry.tool)} />
              ))}
            </ol>
          </section>
          <footer className={classes.foot}>
            <span role="status">
              {t('count', { count: shown.total, formatted: shown.total.toLocaleString(i18n.language) })}
              {shown.damaged > 0 && ` · ${t('damaged', { count: shown.damaged })}`}
            </span>
            {shown.total > PAGE_SIZE && (
              <Pagination
                size="sm"
                aria-label={t('pages')}
                total={Math.ceil(shown.total / PAGE_SIZE)}
                value={page}
                onChange={setPage}
              />
            )}
          </footer>
        </>
      )}
    </>
  );
}

async function save(filter: AuditFilter, format: keyof typeof TYPES, t: TFunction<'audit-log'>): Promise<void> {
  try {
    const { text, count } = await api.call('audit.export', { filter, format });
    saveFile(
      new Blob([text], { type: TYPES[format] }),
      `webgal-agent-audit-log${format === 'events' ? '.events.jsonl' : `.${format}`}`,
    );
    notify({ level: 'success', text: t('exportDone', { count }) });
  } catch (failure) {
    notifyError(failure);
  }
}

function ToWriting() {
  const { t } = useTranslation('audit-log');
  return (
    <Button variant="default" onClick={() => showView('write')}>
      {t('toWriting')}
    </Button>
  );
}
