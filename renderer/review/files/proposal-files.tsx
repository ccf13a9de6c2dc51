import { UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ProposedFile } from '../../../shared/model/proposal.ts';
import { showFile } from '../../state/review/review-reducer.ts';
import { changeReview, useReview } from '../../state/review/review-store.ts';
import { TabStrip } from '../../ui/tab-strip.tsx';
import { StepMenu } from '../steps/step-menu.tsx';
import { useStepGroups } from '../steps/use-step-groups.ts';
import { AllFiles } from './all-files.tsx';
import { FileTab } from './file-tab.tsx';
import classes from './proposal-files.module.css';
import { toTabPage } from './tab-page.ts';

/** With more tabs, a menu with all files is shown as well. */
const MAX_TABS_WITHOUT_MENU = 6;

interface ProposalFilesProps {
  files: readonly ProposedFile[];
}

/** Files of a proposal: selects the displayed one and the ones to accept. */
export function ProposalFiles({ files }: ProposalFilesProps) {
  const { t } = useTranslation('review');
  const steps = useStepGroups();
  const at = useReview((state) => files.findIndex(({ path }) => path === state.path));
  const { start, end } = toTabPage(at, files.length);
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
          <OtherTabs label={t('files.earlier', { count: start })} file={files[start - 1]} />
          {files.slice(start, end).map((file) => (
            <li key={file.path}>
              <FileTab file={file} canLeaveOut={files.length > 1} />
            </li>
          ))}
          <OtherTabs label={t('files.later', { count: files.length - end })} file={files[end]} />
        </ul>
      </TabStrip>
    </nav>
  );
}

/** Leads to the tabs before or after the mounted ones, of which `file` is the nearest; nothing if there are none. */
function OtherTabs({ label, file }: { label: string; file: ProposedFile | undefined }) {
  if (!file) return null;
  return (
    <li>
      <UnstyledButton className={classes.others} onClick={() => changeReview((state) => showFile(state, file.path))}>
        {label}
      </UnstyledButton>
    </li>
  );
}
