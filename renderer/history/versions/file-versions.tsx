import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HistoryGroup } from '../../../shared/model/snapshot.ts';
import { selectSnapshot, useHistory } from '../../state/history/history-store.ts';
import { VirtualList } from '../../ui/list/virtual-list.tsx';
import { Message } from '../../ui/message.tsx';
import { describeError } from '../../ui/text/describe-error.ts';
import { HistoryDiffPane } from '../history-diff-pane.tsx';
import classes from '../history-view.module.css';
import { toShownName } from '../kept-text-pane.tsx';
import { CommitPane } from './commit-pane.tsx';
import { type FileVersion, toVersions } from './to-versions.ts';
import { useCommits } from './use-commits.ts';
import { VersionRow } from './version-row.tsx';

/** The versions of one file: the texts that the app kept and, in a repository, its commits. */
export function FileVersions({ path, groups }: { path: string; groups: readonly HistoryGroup[] }) {
  const { t } = useTranslation('history');
  const scroller = useRef<HTMLDivElement>(null);
  const [commit, setCommit] = useState<string | null>(null);
  const snapshot = useHistory((state) => state.selected);
  const { versions: commits, isMore, isCut, isLoading, error, loadMore } = useCommits(path);
  const versions = useMemo(() => toVersions(path, groups, commits), [path, groups, commits]);
  const selected = commit ?? snapshot;
  const current = versions.findIndex(({ key }) => key === selected);
  const shown = versions[current];
  const select = ({ kind, key }: FileVersion) => {
    setCommit(kind === 'commit' ? key : null);
    void selectSnapshot(kind === 'snapshot' ? key : null);
  };
  const isEmpty = versions.length === 0;
  return (
    <div className={classes.split}>
      <div className={classes.groups} ref={scroller}>
        {error !== null && <Message tone="error" text={describeError(error, t)} />}
        {isEmpty && isLoading && <Message text={t('common:loading')} />}
        {isEmpty && !isLoading && error === null && (
          <Message
            icon={<IconHistory size={22} stroke={1.5} />}
            text={t('versions.none')}
            hint={t('versions.noneHint')}
          />
        )}
        <VirtualList
          items={versions}
          label={t('versions.list', { file: toShownName(path) })}
          className={classes.list}
          scroller={scroller}
          toText={({ title }) => title}
          current={current}
        >
          {(each, tabIndex) => (
            <VersionRow
              key={each.key}
              version={each}
              path={path}
              isSelected={each.key === selected}
              tabIndex={tabIndex}
              onSelect={() => select(each)}
            />
          )}
        </VirtualList>
        {isCut && <p className={classes.noteLine}>{t('versions.cut')}</p>}
        {isMore && (
          <Button variant="default" fullWidth mt={6} loading={isLoading} onClick={loadMore}>
            {t('versions.older')}
          </Button>
        )}
      </div>
      {shown?.kind === 'commit' && <CommitPane key={shown.key} path={path} commit={shown} />}
      {shown?.kind === 'snapshot' && <HistoryDiffPane />}
      {!shown && <Message text={t('versions.pick')} />}
    </div>
  );
}
