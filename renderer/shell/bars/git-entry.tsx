import { Tooltip, UnstyledButton } from '@mantine/core';
import { IconGitBranch } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toVisible } from '../../../shared/text/shown-text.ts';
import { useGit } from '../../state/git-store.ts';
import { CommitDialog } from './commit-dialog.tsx';
import classes from './status-bar.module.css';

const MAX_NAME = 24;

/** Branch and number of changes; nothing where the game is in no repository. A click opens the dialog to commit. */
export function GitEntry() {
  const { t } = useTranslation('shell');
  const [isOpen, setOpen] = useState(false);
  const git = useGit();
  if (!git) return null;
  if (git.status === 'refused') {
    return (
      <Tooltip
        label={t(`errors:git.${git.reason}`)}
        multiline
        maw={320}
        events={{ hover: true, focus: true, touch: true }}
      >
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the reason must be reachable by keyboard */}
        <span className={classes.count} tabIndex={0}>
          <IconGitBranch size={13} aria-hidden />
          {t('git.refused')}
        </span>
      </Tooltip>
    );
  }
  const branch = git.branch === null ? t('git.detached') : toVisible(git.branch);
  const short = branch.length > MAX_NAME ? `${branch.slice(0, MAX_NAME - 1)}…` : branch;
  return (
    <>
      <Tooltip label={t('git.hint')}>
        <UnstyledButton className={classes.button} onClick={() => setOpen(true)}>
          <span className={classes.count}>
            <IconGitBranch size={13} aria-hidden />
            {short}
            {git.changes > 0 && ` · ${t('git.changes', { count: git.changes })}`}
          </span>
        </UnstyledButton>
      </Tooltip>
      {isOpen && <CommitDialog branch={branch} onClose={() => setOpen(false)} />}
    </>
  );
}
