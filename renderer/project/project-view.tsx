import { SegmentedControl, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { type AssetKind, groupFiles } from '../state/project/file-kinds.ts';
import { useProject } from '../state/project/project-store.ts';
import { shownAssetStore } from '../state/project/shown-asset.ts';
import { Message } from '../ui/message.tsx';
import { PaneHeader } from '../ui/pane-header.tsx';
import { TabStrip } from '../ui/tab-strip.tsx';
import { AddAssetsButton } from './add-assets/add-assets-button.tsx';
import { AssetDrop } from './add-assets/asset-drop.tsx';
import { AssetTile } from './asset-tile.tsx';
import classes from './project-view.module.css';
import { SceneList } from './scenes/scene-list.tsx';
import { StoryBibleButton } from './story-bible-button.tsx';

/** Maximum number of tiles, because more make the page slow; the search finds the rest. */
const MAX_TILES = 400;

/** The game's assets, with thumbnails of pictures and controls to play sounds. */
export function ProjectView() {
  const { t } = useTranslation('project');
  const files = useProject((state) => state.files);
  const [search, setSearch] = useState('');
  const scroller = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState<AssetKind | 'scene'>('background');
  const asked = useStore(shownAssetStore, ({ path }) => path);
  const askedKind = files?.find(({ path }) => path === asked)?.kind;
  useEffect(() => {
    if (!askedKind || askedKind === 'scene') return;
    setSearch('');
    setWanted(askedKind);
  }, [askedKind]);
  // The request to show one asset applies to this visit only.
  useEffect(() => () => shownAssetStore.setState({ path: null }), []);
  const { assets, scenes } = useMemo(() => groupFiles(files ?? [], search), [files, search]);
  const kinds = useMemo(() => {
    const all = groupFiles(files ?? [], '');
    return [...(all.scenes.length > 0 ? ['scene' as const] : []), ...all.assets.map(({ kind }) => kind)];
  }, [files]);
  const kind = kinds.includes(wanted) ? wanted : (kinds.find((each) => each !== 'scene') ?? kinds[0]);
  const shown = kind === 'scene' ? scenes : (assets.find((group) => group.kind === kind)?.files ?? []);
  return (
    <AssetDrop shown={kind ?? 'background'}>
      <PaneHeader title={t('assets')} note={files ? t('count', { count: shown.length }) : undefined}>
        <StoryBibleButton />
        <AddAssetsButton shown={kind ?? 'background'} />
        <TextInput
          className={classes.search ?? ''}
          aria-label={t('search')}
          placeholder={t('search')}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            scroller.current?.scrollTo({ top: 0 });
          }}
        />
      </PaneHeader>
      {!files && <Message text={t('common:loading')} />}
      {files && !kind && <Message text={t('noAssets')} hint={t('noAssetsHint')} />}
      {kind && (
        <>
          <TabStrip
            className={classes.kinds}
            background="light-dark(var(--mantine-color-gray-1), var(--mantine-color-dark-8))"
          >
            <SegmentedControl
              aria-label={t('assets')}
              value={kind}
              data={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
              onChange={(value) => setWanted(value as AssetKind | 'scene')}
            />
          </TabStrip>
          {shown.length === 0 && <Message text={t('noMatch')} />}
          {kind === 'scene' && (
            <div className={classes.scenes} ref={scroller}>
              <SceneList scenes={scenes} scroller={scroller} />
            </div>
          )}
          {kind !== 'scene' && shown.length > 0 && (
            <ul key={kind} className={classes.grid} data-kind={kind} aria-label={t(`kind.${kind}`)}>
              {shown.slice(0, MAX_TILES).map((file) => (
                <AssetTile key={file.path} file={file} isAsked={file.path === asked} />
              ))}
              {shown.length > MAX_TILES && <li>{t('more', { count: shown.length - MAX_TILES })}</li>}
            </ul>
          )}
        </>
      )}
    </AssetDrop>
  );
}
