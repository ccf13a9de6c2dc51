import { Button, Checkbox, Select, UnstyledButton } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChangedEntry, Checkpoint } from '../../../shared/model/checkpoint.ts';
import { toVisible } from '../../../shared/text/shown-text.ts';
import {
  type Comparison,
  compareWith,
  isTicked,
  showKeptFile,
  toggleFiles,
  useCheckpoints,
} from '../../state/history/checkpoint-store.ts';
import { isPicture } from '../../state/project/file-kinds.ts';
import { useBusy } from '../../ui/hooks/use-busy.ts';
import { VirtualList } from '../../ui/list/virtual-list.tsx';
import { Message } from '../../ui/message.tsx';
import { describeError } from '../../ui/text/describe-error.ts';
import { restoreTicked } from '../../workflows/restore/restore-checkpoint.ts';
import { CheckpointActions } from './checkpoint-actions.tsx';
import classes from './checkpoints.module.css';
import { KeptFileView } from './kept-file-view.tsx';
import { KeptThumbs } from './kept-thumbs.tsx';
import { type ComparisonRow, toRows } from './to-rows.ts';

const NOW = 'now';

/** What differs between the selected checkpoint and the present, or another checkpoint. */
export function ComparisonPane() {
  const { t } = useTranslation('history');
  const checkpoint = useCheckpoints((state) => state.checkpoints?.find(({ id }) => id === state.selected));
  const comparison = useCheckpoints((state) => state.comparison);
  const error = useCheckpoints((state) => state.comparisonError);
  if (!checkpoint) return <Message text={t('states.pick')} />;
  return (
    <section className={classes.right} aria-label={t('states.comparison')}>
      <ComparisonBar checkpoint={checkpoint} comparison={comparison} />
      {error !== null && <Message tone="error" text={describeError(error, t)} />}
      {error === null && !comparison && <Message text={t('common:loading')} />}
      {error === null && comparison?.total === 0 && <Message text={t('states.same')} />}
      {error === null && comparison && comparison.total > 0 && <ChangedFiles comparison={comparison} />}
    </section>
  );
}

function ComparisonBar({ checkpoint, comparison }: { checkpoint: Checkpoint; comparison: Comparison | null }) {
  const { t, i18n } = useTranslation('history');
  const all = useCheckpoints((state) => state.checkpoints);
  const other = useCheckpoints((state) => state.other);
  const toggled = useCheckpoints((state) => state.toggled);
  const [isBusy, run] = useBusy();
  const toLabel = ({ name, cause, at }: Checkpoint) =>
    `${name === '' ? t(`states.cause.${cause}`) : toVisible(name)} · ${new Date(at).toLocaleString(i18n.language)}`;
  const count = comparison?.files.filter((file) => isTicked(file, toggled)).length ?? 0;
  return (
    <div className={classes.bar}>
      <Select
        className={classes.grow}
        aria-label={t('states.compareWith')}
        allowDeselect={false}
        value={other ?? NOW}
        data={[
          { value: NOW, label: t('states.compareNow') },
          ...(all ?? [])
            .filter(({ id }) => id !== checkpoint.id)
            .map((one) => ({ value: one.id, label: toLabel(one) })),
        ]}
        onChange={(value) => void compareWith(value === NOW ? null : value)}
      />
      <CheckpointActions checkpoint={checkpoint} />
      {other === null && (
        <Button
          leftSection={<IconArrowBackUp size={15} />}
          disabled={count === 0}
          loading={isBusy}
          onClick={() => run(restoreTicked)}
        >
          {t('states.restore', { count })}
        </Button>
      )}
    </div>
  );
}

function ChangedFiles({ comparison }: { comparison: Comparison }) {
  const { t } = useTranslation('history');
  const scroller = useRef<HTMLDivElement>(null);
  const file = useCheckpoints((state) => state.file);
  const isNow = useCheckpoints((state) => state.other === null);
  const rows = useMemo(() => toRows(comparison.files), [comparison]);
  return (
    <>
      {isNow && file === null && <p className={classes.hint}>{t('states.restoreHint')}</p>}
      {comparison.total > comparison.files.length && (
        <p className={classes.hint}>{t('states.more', { count: comparison.total - comparison.files.length })}</p>
      )}
      <div className={classes.files} data-split={file !== null || undefined}>
        <div className={classes.scroll} ref={scroller}>
          <VirtualList items={rows} label={t('states.files')} className={classes.list} scroller={scroller}>
            {(row) =>
              row.kind === null ? (
                <FileRow key={row.key} file={row.file} canTick={isNow} />
              ) : (
                <KindRow key={row.key} row={row} canTick={isNow} />
              )
            }
          </VirtualList>
        </div>
        {file !== null && <KeptFileView key={file} path={file} />}
      </div>
    </>
  );
}

function KindRow({ row, canTick }: { row: Extract<ComparisonRow, { files: unknown }>; canTick: boolean }) {
  const { t } = useTranslation('history');
  const toggled = useCheckpoints((state) => state.toggled);
  const label = t(`states.kind.${row.kind}`, { count: row.files.length });
  const ticked = row.files.filter((file) => isTicked(file, toggled));
  const setAll = (isOn: boolean) =>
    toggleFiles(row.files.filter((file) => isTicked(file, toggled) !== isOn).map(({ path }) => path));
  if (!canTick) return <div className={classes.kind}>{label}</div>;
  return (
    <Checkbox
      className={classes.kind}
      label={label}
      checked={ticked.length === row.files.length}
      indeterminate={ticked.length > 0 && ticked.length < row.files.length}
      onChange={(event) => setAll(event.currentTarget.checked)}
    />
  );
}

function FileRow({ file, canTick }: { file: ChangedEntry; canTick: boolean }) {
  const { t } = useTranslation('history');
  const isOn = useCheckpoints((state) => isTicked(file, state.toggled));
  const isShown = useCheckpoints((state) => state.file === file.path);
  const name = toVisible(file.path.replace(/^game\//, ''));
  const change = file.before === null ? 'added' : file.after === null ? 'removed' : 'changed';
  return (
    <div className={classes.file} data-shown={isShown || undefined}>
      {canTick && (
        <Checkbox
          aria-label={t(file.before === null ? 'states.tickRemove' : 'states.tickRestore', { name })}
          checked={isOn}
          onChange={() => toggleFiles([file.path])}
        />
      )}
      <UnstyledButton
        className={classes.fileName}
        aria-current={isShown ? 'true' : undefined}
        onClick={() => showKeptFile(isShown ? null : file.path)}
      >
        <span className={classes.path}>{name}</span>
        {isPicture(file.path) && <KeptThumbs file={file} />}
        <span className={classes.change} data-change={change}>
          {t(canTick && change === 'added' && isOn ? 'states.change.willGo' : `states.change.${change}`)}
        </span>
      </UnstyledButton>
    </div>
  );
}
