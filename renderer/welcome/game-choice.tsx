import { Modal, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconBook2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { dismissGames, useProject } from '../state/project/project-store.ts';
import { openProject } from '../workflows/open-project.ts';
import classes from './folder-chooser.module.css';

/** Lets the user choose one of a workspace's games. */
export function GameChoice() {
  const { t } = useTranslation('welcome');
  const games = useProject((state) => state.games);
  return (
    <Modal
      opened={games !== null}
      onClose={dismissGames}
      title={t('games.title')}
      size={440}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <Text c="dimmed" mb="sm">
        {t('games.lead')}
      </Text>
      <Stack gap={2}>
        {games?.map((game) => (
          <UnstyledButton key={game.id} className={classes.entry} data-game onClick={() => void openProject(game.id)}>
            <IconBook2 size={17} stroke={1.6} />
            <span className={classes.name}>{game.name}</span>
          </UnstyledButton>
        ))}
      </Stack>
    </Modal>
  );
}
