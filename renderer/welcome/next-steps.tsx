import { Button, Group } from '@mantine/core';
import { IconBook2, IconFilePlus, IconFolderOpen } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { emptyFolderOf, useProject } from '../state/project/project-store.ts';
import { createProject, openSample, pickProject } from '../workflows/open-project.ts';
import classes from './next-steps.module.css';

interface NextStepsProps {
  /** The error of opening the folder. */
  error: unknown;
  /** False where the page already offers to choose another folder. */
  hasOther?: boolean;
}

/** Actions for a folder without a game: create one there, choose another folder, or open the sample. */
export function NextSteps({ error, hasOther = true }: NextStepsProps) {
  const { t } = useTranslation('welcome');
  const opening = useProject((state) => state.opening);
  const folder = emptyFolderOf(error);
  return (
    <>
      <p className={classes.text}>{t(folder === null ? 'lookedFor' : 'next.createHint')}</p>
      <Group gap="xs" mt="xs">
        {folder !== null && (
          <Button
            size="xs"
            leftSection={<IconFilePlus size={15} stroke={1.6} />}
            loading={opening === 'create'}
            onClick={() => void createProject(folder)}
          >
            {t('next.create')}
          </Button>
        )}
        {hasOther && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconFolderOpen size={15} stroke={1.6} />}
            onClick={() => void pickProject()}
          >
            {t('next.other')}
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          leftSection={<IconBook2 size={15} stroke={1.6} />}
          loading={opening === 'sample'}
          onClick={() => void openSample()}
        >
          {t('sample')}
        </Button>
      </Group>
    </>
  );
}
