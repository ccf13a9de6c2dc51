import { Button, Checkbox, Popover } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProposedFile } from '../../../shared/model/proposal.ts';
import { countChosen, toggleAll } from '../../state/review/review-reducer.ts';
import { changeReview, useReview } from '../../state/review/review-store.ts';
import { VirtualList } from '../../ui/list/virtual-list.tsx';
import { fileName } from '../../ui/text/file-name.ts';
import classes from './all-files.module.css';
import { FileTab } from './file-tab.tsx';

const ROW_HEIGHT_PX = 36;

/** A popover with all files, and a checkbox that selects all of them. */
export function AllFiles({ files }: { files: readonly ProposedFile[] }) {
  const { t } = useTranslation('review');
  const chosen = useReview((state) => countChosen(state).chosen);
  const total = useReview((state) => countChosen(state).total);
  const shown = useReview((state) => state.path ?? '');
  return (
    <div className={classes.all}>
      <Checkbox
        size="xs"
        checked={chosen === total}
        indeterminate={chosen > 0 && chosen < total}
        aria-label={t('files.wantAll')}
        onChange={() => changeReview(toggleAll)}
      />
      <Popover position="bottom-start" width={320} trapFocus>
        <Popover.Target>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            className={classes.menu ?? ''}
            rightSection={<IconChevronDown size={13} aria-hidden />}
          >
            <span className={classes.count}>{t('files.all', { count: files.length })}</span>
            <bdi className={classes.current}>{fileName(shown)}</bdi>
          </Button>
        </Popover.Target>
        <Popover.Dropdown p={4}>
          <FileList files={files} />
        </Popover.Dropdown>
      </Popover>
    </div>
  );
}

function FileList({ files }: { files: readonly ProposedFile[] }) {
  const { t } = useTranslation('review');
  const scroller = useRef<HTMLDivElement>(null);
  const shown = useReview((state) => state.path);
  return (
    <div ref={scroller} className={classes.scroll}>
      <VirtualList
        items={files}
        label={t('files.label')}
        className={classes.column}
        scroller={scroller}
        rowHeight={ROW_HEIGHT_PX}
        current={files.findIndex(({ path }) => path === shown)}
      >
        {(file) => <FileTab key={file.path} file={file} canLeaveOut />}
      </VirtualList>
    </div>
  );
}
