import { Button, Select } from '@mantine/core';
import { IconArrowBackUp, IconCheck } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  RollbackConflict,
  TransactionDiff,
  TransactionEntry,
} from '../../../shared/model/transactions/transaction-page.ts';
import { toVisible } from '../../../shared/text/shown-text.ts';
import { api } from '../../api.ts';
import { Message } from '../../ui/message.tsx';
import { describeError } from '../../ui/text/describe-error.ts';
import { TextDiff } from '../../ui/text-diff.tsx';
import { keepTransaction, rollBackTransaction } from '../../workflows/restore/roll-back-transaction.ts';
import shared from '../history-view.module.css';
import classes from './change-log.module.css';

/** The selected change: what it did to a file, and buttons to undo or keep it. */
export function ChangeLogDetails({ entry }: { entry: TransactionEntry }) {
  const { t } = useTranslation('history');
  const [path, setPath] = useState(entry.files[0]?.path ?? '');
  const [conflicts, setConflicts] = useState<readonly RollbackConflict[]>([]);
  const [isBusy, setBusy] = useState(false);
  const toName = (file: string) => toVisible(file.replace(/^game\/(scene\/)?/, ''));
  const undo = async () => {
    setBusy(true);
    setConflicts(await rollBackTransaction(entry));
    setBusy(false);
  };
  const left = entry.fileCount - entry.files.length;
  return (
    <div className={shared.diff}>
      <div className={shared.bar}>
        {entry.files.length > 1 ? (
          <Select
            className={classes.files ?? ''}
            size="xs"
            allowDeselect={false}
            searchable
            aria-label={t('log.fileOf')}
            data={entry.files.map((file) => ({ value: file.path, label: toName(file.path) }))}
            value={path}
            onChange={(value) => setPath(value ?? path)}
          />
        ) : (
          <strong className={shared.path}>{toName(path)}</strong>
        )}
        {left > 0 && <span className={classes.about}>{t('log.moreFiles', { count: left })}</span>}
        <span className={classes.end}>
          {entry.status === 'pending' && (
            <Button
              size="xs"
              leftSection={<IconCheck size={15} aria-hidden />}
              onClick={() => void keepTransaction(entry.id)}
            >
              {t('log.keep')}
            </Button>
          )}
          {entry.canRollBack && (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconArrowBackUp size={15} aria-hidden />}
              loading={isBusy}
              onClick={() => void undo()}
            >
              {t('log.undo', { count: entry.fileCount })}
            </Button>
          )}
        </span>
      </div>
      {conflicts.length > 0 && <Conflicts conflicts={conflicts} toName={toName} />}
      {entry.code !== null && <p className={shared.noteLine}>{describeError({ code: entry.code }, t)}</p>}
      {entry.isRecovered && (
        <p className={shared.noteLine}>{t(`log.recovered.${entry.canRollBack ? 'done' : 'undone'}`)}</p>
      )}
      <FileDiff key={path} entry={entry} path={path} name={toName(path)} />
      <p className={classes.id}>
        {t('log.id')} <code>{entry.id}</code>
      </p>
    </div>
  );
}

function Conflicts(props: { conflicts: readonly RollbackConflict[]; toName: (path: string) => string }) {
  const { t } = useTranslation('history');
  return (
    <div className={shared.noteLine} data-tone="warn" role="alert">
      {t('log.conflict')}
      <ul className={classes.conflicts}>
        {props.conflicts.map(({ path, reason }) => (
          <li key={path}>{t(`log.conflicts.${reason}`, { file: props.toName(path) })}</li>
        ))}
      </ul>
    </div>
  );
}

function FileDiff({ entry, path, name }: { entry: TransactionEntry; path: string; name: string }) {
  const { t } = useTranslation('history');
  const [loaded, setLoaded] = useState<{ diff: TransactionDiff | null; error: unknown }>({ diff: null, error: null });
  const hasTexts = entry.status === 'applied' || entry.status === 'pending' || entry.status === 'rolled_back';
  useEffect(() => {
    if (!hasTexts) return;
    let isCurrent = true;
    api.call('transactions.diff', { id: entry.id, path }).then(
      (diff) => isCurrent && setLoaded({ diff, error: null }),
      (error: unknown) => isCurrent && setLoaded({ diff: null, error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [entry.id, path, hasTexts]);
  const { diff, error } = loaded;
  if (!hasTexts) return <Message text={t(`log.noTexts.${entry.status === 'failed' ? 'failed' : 'validated'}`)} />;
  if (error !== null) return <Message tone="error" text={describeError(error, t)} />;
  if (!diff) return <Message text={t('common:loading')} />;
  if (diff.isMissing) return <Message text={t('log.missing')} />;
  return (
    <div className={shared.text}>
      <TextDiff
        before={diff.before ?? ''}
        after={diff.after ?? ''}
        language="webgal"
        label={t('log.diffLabel', { file: name })}
      />
    </div>
  );
}
