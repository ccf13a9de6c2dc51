import {
  Alert,
  Anchor,
  Badge,
  Breadcrumbs,
  Button,
  Group,
  Loader,
  Modal,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconBook2, IconChevronRight, IconFolder, IconSearch } from '@tabler/icons-react';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Browsed, FolderListing } from '../../shared/model/project.ts';
import { api } from '../api.ts';
import { forgetOpenError, isNoGame, stopBrowsing, useProject } from '../state/project/project-store.ts';
import { VirtualList } from '../ui/list/virtual-list.tsx';
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

/** Height of a row in pixels. */
const ENTRY_HEIGHT = 34;
const FILTER_AFTER_MS = 150;

/** The listed folder, and functions to list another one or only folders whose name contains a text. */
function useFolders() {
  const [listing, setListing] = useState<FolderListing | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [filter, setFilter] = useState('');
  /** Number of the latest request: the answer to an older one must not replace a newer one. */
  const asked = useRef(0);
  const list = useCallback(async (browsed: Browsed) => {
    asked.current += 1;
    const own = asked.current;
    try {
      const found = await api.call('project.browse', browsed);
      if (own !== asked.current) return;
      setListing(found);
      setError(null);
      forgetOpenError();
    } catch (caught) {
      if (own === asked.current) setError(caught);
    }
  }, []);
  const listLater = useDebouncedCallback(list, FILTER_AFTER_MS);
  useEffect(() => void list({}), [list]);
  return {
    ...{ listing, error, filter },
    async go(id: string) {
      listLater.cancel();
      setFilter('');
      await list({ id });
    },
    filterBy(contains: string) {
      setFilter(contains);
      if (listing) listLater({ id: listing.id, contains });
    },
  };
}

function Chooser() {
  const { t } = useTranslation('welcome');
  const { listing, error, filter, go, filterBy } = useFolders();
  const openError = useProject((state) => state.openError);
  const opening = useProject((state) => state.opening);
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (listing) scroller.current?.scrollTo(0, 0);
  }, [listing]);

  const shownError = error ?? openError;
  return (
    <>
      {listing && <Trail listing={listing} onGo={go} />}
      {listing && (
        <TextInput
          mb="xs"
          aria-label={t('chooser.filter')}
          placeholder={t('chooser.filter')}
          leftSection={<IconSearch size={14} aria-hidden />}
          maxLength={255}
          value={filter}
          onChange={(event) => filterBy(event.currentTarget.value)}
        />
      )}
      {shownError !== null && (
        <Alert color="red" variant="light" mb="xs" role="alert">
          {describeError(shownError, t)}
          {error === null && isNoGame(openError) && <NextSteps error={openError} hasOther={false} />}
        </Alert>
      )}
      <div className={classes.list} ref={scroller}>
        {!listing && shownError === null && <Loader size="sm" m="md" />}
        {listing?.entries.length === 0 && (
          <p className={classes.empty}>{t(filter === '' ? 'chooser.empty' : 'chooser.noMatch')}</p>
        )}
        {listing && listing.entries.length > 0 && (
          <Entries key={listing.id} listing={listing} scroller={scroller} onGo={go} />
        )}
        {listing !== null && listing.omitted > 0 && (
          <p className={classes.omitted}>{t('chooser.omitted', { count: listing.omitted })}</p>
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

interface EntriesProps extends TrailProps {
  scroller: RefObject<HTMLElement | null>;
}

function Entries({ listing, scroller, onGo }: EntriesProps) {
  const { t } = useTranslation('welcome');
  return (
    <VirtualList
      items={listing.entries}
      label={t('chooser.list')}
      scroller={scroller}
      rowHeight={ENTRY_HEIGHT}
      toText={({ name }) => name}
    >
      {({ id, name, isGame }, tabIndex) => (
        <UnstyledButton
          key={id}
          className={classes.entry}
          tabIndex={tabIndex}
          data-game={isGame || undefined}
          onClick={() => void (isGame ? openProject(id) : onGo(id))}
        >
          {isGame ? <IconBook2 size={17} stroke={1.6} /> : <IconFolder size={17} stroke={1.6} />}
          <span className={classes.name}>{name}</span>
          {isGame && (
            <Badge size="sm" variant="light" tt="none">
              {t('chooser.game')}
            </Badge>
          )}
        </UnstyledButton>
      )}
    </VirtualList>
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
