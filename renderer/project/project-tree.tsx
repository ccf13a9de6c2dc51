import { ActionIcon, TextInput, Tooltip } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { groupFiles } from '../state/project/file-kinds.ts';
import { namingSceneStore, setNamingScene } from '../state/project/naming-scene.ts';
import { useProject } from '../state/project/project-store.ts';
import { Message } from '../ui/message.tsx';
import { PaneHeader } from '../ui/pane-header.tsx';
import { AssetDrop } from './add-assets/asset-drop.tsx';
import { AssetSection } from './asset-section.tsx';
import classes from './project-tree.module.css';
import { NewSceneForm } from './scenes/new-scene-form.tsx';
import { SceneList } from './scenes/scene-list.tsx';
import { StoryBibleButton } from './story-bible-button.tsx';

/** The game's files: scenes first, then assets by kind. */
export function ProjectTree() {
  const { t } = useTranslation('project');
  // Deferred: each saved file changes the list, possibly while the user types.
  const files = useDeferredValue(useProject((state) => state.files));
  const [search, setSearch] = useState('');
  const scroller = useRef<HTMLDivElement>(null);
  const isNaming = useStore(namingSceneStore, (state) => state.isNaming);
  const groups = useMemo(() => groupFiles(files ?? [], search), [files, search]);
  const isNothing = groups.scenes.length === 0 && groups.assets.length === 0;
  return (
    <AssetDrop shown="scene">
      <PaneHeader title={t('scenes')} note={files ? String(groups.scenes.length) : undefined}>
        <StoryBibleButton />
        <Tooltip label={t('newScene')}>
          <ActionIcon aria-label={t('newScene')} aria-expanded={isNaming} onClick={() => setNamingScene(!isNaming)}>
            <IconPlus size={17} stroke={1.7} />
          </ActionIcon>
        </Tooltip>
      </PaneHeader>
      {isNaming && <NewSceneForm onDone={() => setNamingScene(false)} />}
      <div className={classes.search}>
        <TextInput
          aria-label={t('search')}
          placeholder={t('search')}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            // The first matches are at the top.
            scroller.current?.scrollTo({ top: 0 });
          }}
        />
      </div>
      <div className={classes.scroll} ref={scroller}>
        <div>
          {!files && <Message text={t('common:loading')} />}
          {files && isNothing && <Message text={t(search ? 'noMatch' : 'noFiles')} />}
          <SceneList scenes={groups.scenes} scroller={scroller} />
          {groups.assets.map(({ kind, files: assets }) => (
            <AssetSection key={kind} kind={kind} files={assets} isSearched={search !== ''} scroller={scroller} />
          ))}
        </div>
      </div>
    </AssetDrop>
  );
}
