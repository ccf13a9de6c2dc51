import { Alert, Anchor, Badge, Breadcrumbs, Button, Group, Loader, Modal, Text, UnstyledButton } from '@mantine/core';
import { IconBook2, IconChevronRight, IconFolder } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FolderListing } from '../../shared/model/project.ts';
import { api } from '../api.ts';
import { forgetOpenError, isNoGame, stopBrowsing, useProject } from '../state/project/project-store.ts';
import { describeError } from '../ui/text/describe-error.ts';
import { openProject } from '../workflows/open-project.ts';
import classes from './folder-chooser.module.css';
import { NextSteps } from './next-steps.tsx';

/** A folder dialog for hosts without one. Identifies folders by ids issued by the app, never by path. */
export function FolderChooser() {
  const { t } = useTranslation('welcome');
  const isOpen = useProject((state) => state.isBrowsing);
  return (
    <Modal
      opened={isOpen}
      onClose={stopBrowsing}
      title={t('chooser.title')}
      size={560}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <Chooser />
    </Modal>
  );
}

function Chooser() {
  const { t } = useTranslation('welcome');
  const [listing, setListing] = useState<FolderListing | null>(null);
  const [error, setError] = useState<unknown>(null);
  const openError = useProject((state) => state.openError);
  const opening = useProject((state) => state.opening);

  const go = useCallback(async (id?: string) => {
    try {
      setListing(await api.call('project.browse', id === undefined ? {} : { id }));
      setError(null);
      forgetOpenError();
    } catch (caught) {
      setError(caught);
    }
  }, []);
  useEffect(() => void go(), [go]);

  const shownError = error ?? openError;
  return (
    <>
      {listing && <Trail listing={listing} onGo={go} />}
      {shownError !== null && (
        <Alert color="red" variant="light" mb="xs" role="alert">
          {describeError(shownError, t)}
          {error === null && isNoGame(openError) && <NextSteps error={openError} hasOther={false} />}
        </Alert>
      )}
      <div key={listing?.id ?? ''} className={classes.list}>
        {!listing && shownError === null && <Loader size="sm" m="md" />}
        {listing?.entries.length === 0 && <p className={classes.empty}>{t('chooser.empty')}</p>}
        {listing && listing.entries.length > 0 && (
          <ul aria-label={t('chooser.list')}>
            {listing.entries.map((entry) => (
              <li key={entry.id}>
                <UnstyledButton
                  className={classes.entry}
                  data-game={entry.isGame || undefined}
                  onClick={() => void (entry.isGame ? openProject(entry.id) : go(entry.id))}
                >
                  {entry.isGame ? <IconBook2 size={17} stroke={1.6} /> : <IconFolder size={17} stroke={1.6} />}
                  <span className={classes.name}>{entry.name}</span>
                  {entry.isGame && (
                    <Badge size="sm" variant="light" tt="none">
                      {t('chooser.game')}
                    </Badge>
                  )}
                </UnstyledButton>
              </li>
            ))}
          </ul>
        )}
      </div>
      <Group justify="space-between" mt="md" wrap="nowrap">
        <Text size="xs" c="dimmed">
          {t('chooser.hint')}
        </Text>
        <Group gap="xs" wrap="nowrap">
          <Button variant="default" onClick={stopBrowsing}>
            {t('common:cancel')}
          </Button>
          <Button
            disabled={!listing}
            loading={opening !== null}
            onClick={() => listing && void openProject(listing.id)}
          >
            {t(listing?.isGame ? 'chooser.openGame' : 'chooser.open')}
          </Button>
        </Group>
      </Group>
    </>
  );
}

interface TrailProps {
  listing: FolderListing;
  onGo: (id: string) => Promise<void>;
}

/** The folders above, each to go back to. */
function Trail({ listing, onGo }: TrailProps) {
  const { t } = useTranslation('welcome');
  return (
    <nav aria-label={t('chooser.trail')}>
      <Breadcrumbs separator={<IconChevronRight size={12} />} separatorMargin={4} className={classes.trail}>
        {listing.trail.map(({ id, name }) => (
          <Anchor
            key={id}
            component="button"
            size="sm"
            aria-current={id === listing.id ? 'location' : undefined}
            onClick={() => void onGo(id)}
          >
            {name || t('chooser.machine')}
          </Anchor>
        ))}
      </Breadcrumbs>
    </nav>
  );
}
