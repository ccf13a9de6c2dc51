import { Button, Checkbox, Popover, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconChevronDown } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { isAssetName } from '../../shared/model/asset/asset.ts';
import type { ProposedFile } from '../../shared/model/proposal.ts';
import { countPieces } from '../../shared/text/pieces.ts';
import { toVisible } from '../../shared/text/shown-text.ts';
import { countTicked } from '../state/review/piece-choices.ts';
import { countChosen, isConflicting, showFile, toggleAll, toggleFile } from '../state/review/review-reducer.ts';
import { changeReview, useReview } from '../state/review/review-store.ts';
import { ChangeCounts } from '../ui/change-counts.tsx';
import { TabStrip } from '../ui/tab-strip.tsx';
import { fileName } from '../ui/text/file-name.ts';
import classes from './proposal-files.module.css';
import { StepMenu } from './steps/step-menu.tsx';
import { useStepGroups } from './steps/use-step-groups.ts';

/** With more tabs, a menu with all files is shown as well. */
const MAX_TABS_WITHOUT_MENU = 6;

interface ProposalFilesProps {
  files: readonly ProposedFile[];
}

/** Files of a proposal: selects the displayed one and the ones to accept. */
export function ProposalFiles({ files }: ProposalFilesProps) {
  const { t } = useTranslation('review');
  const steps = useStepGroups();
  return (
    <nav
      className={classes.root}
      aria-label={t('files.label')}
      data-many={files.length > MAX_TABS_WITHOUT_MENU || undefined}
    >
      {steps && <StepMenu groups={steps.groups} />}
      {files.length > MAX_TABS_WITHOUT_MENU && <AllFiles files={files} />}
      <TabStrip className={classes.strip} background="var(--sunk)">
        <ul className={classes.list}>
          {files.map((file) => (
            <li key={file.path}>
              <FileTab file={file} canLeaveOut={files.length > 1} />
            </li>
          ))}
        </ul>
      </TabStrip>
    </nav>
  );
}

/** A popover with all files, and a checkbox that selects all of them. */
function AllFiles({ files }: ProposalFilesProps) {
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
          <ul className={classes.column}>
            {files.map((file) => (
              <li key={file.path}>
                <FileTab file={file} canLeaveOut />
              </li>
            ))}
          </ul>
        </Popover.Dropdown>
      </Popover>
    </div>
  );
}

/** Scrolls the tab of the displayed file into view. */
function showTab(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: 'nearest', inline: 'center' });
}

/** Memoized by file: while the assistant drafts, tabs are added frequently. */
const FileTab = memo(function FileTab({ file, canLeaveOut }: { file: ProposedFile; canLeaveOut: boolean }) {
  const { t } = useTranslation('review');
  const isShown = useReview((state) => state.path === file.path);
  const ticked = useReview((state) => countTicked(state, file));
  const isWanted = ticked > 0;
  const isWhole = ticked === countPieces(file);
  const hasConflict = useReview((state) => isConflicting(state, file));
  return (
    <div
      ref={isShown ? showTab : undefined}
      className={classes.tab}
      data-shown={isShown || undefined}
      data-unwanted={!isWanted || undefined}
    >
      {canLeaveOut && (
        <Checkbox
          size="xs"
          checked={isWhole}
          indeterminate={isWanted && !isWhole}
          aria-label={t('files.want', { path: fileName(file.path) })}
          onChange={() => changeReview((state) => toggleFile(state, file.path))}
        />
      )}
      <UnstyledButton
        className={classes.name}
        aria-current={isShown || undefined}
        title={toVisible(file.path)}
        onClick={() => changeReview((state) => showFile(state, file.path))}
      >
        {hasConflict && <IconAlertTriangle size={14} className={classes.conflict} aria-label={t('files.conflict')} />}
        <bdi className={classes.label}>{fileName(file.path)}</bdi>
        <FileKind file={file} />
        <ChangeCounts path={file.path} added={file.added} removed={file.removed} after={file.after} />
        {!isWanted && <span className={classes.kind}>{t('files.unwanted')}</span>}
      </UnstyledButton>
    </div>
  );
});

/** Change of the file as a whole: added, deleted or renamed. */
function FileKind({ file }: { file: ProposedFile }) {
  const { t } = useTranslation('review');
  if (file.from !== undefined)
    return <span className={classes.kind}>{t('files.renamed', { name: fileName(file.from) })}</span>;
  // Its counts say so in words.
  if (isAssetName(file.path)) return null;
  if (file.before === null) return <span className={classes.kind}>{t('files.new')}</span>;
  if (file.after === null) return <span className={classes.kind}>{t('files.deleted')}</span>;
  return null;
}
