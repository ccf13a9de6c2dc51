import { ActionIcon, UnstyledButton } from '@mantine/core';
import { IconCopy, IconPlayerPlay, IconPlayerStop, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProjectFile } from '../../shared/model/project.ts';
import { formatBytes, isSound, isText, toShortName, toStageUrl } from '../state/project/file-kinds.ts';
import { useStage } from '../state/stage/stage-store.ts';
import { startFileDrag } from '../ui/file-drag.ts';
import { showFile, showSearch } from '../workflows/show-file.ts';
import { AssetThumb } from './asset-thumb.tsx';
import { copyName } from './copy-name.ts';
import classes from './project-view.module.css';
import { formatLength, useSoundLength } from './sound-length.ts';

interface AssetTileProps {
  file: ProjectFile;
  /** True for the asset that was requested with `showAsset`. */
  isAsked: boolean;
}

/** Scrolls the tile into view. */
function showTile(tile: HTMLLIElement | null): void {
  tile?.scrollIntoView({ block: 'center' });
}

/** An asset with its name as used in scripts; sounds can be played and texts opened. */
export function AssetTile({ file, isAsked }: AssetTileProps) {
  const { t, i18n } = useTranslation('project');
  const base = useStage((state) => state.stage.url);
  const [isPlaying, setPlaying] = useState(false);
  const name = toShortName(file);
  const canPlay = base !== null && isSound(file.path);
  /** True once the pointer or the focus was here: a folder can have thousands of sounds. */
  const [isLengthAsked, setLengthAsked] = useState(false);
  const length = useSoundLength(canPlay && isLengthAsked ? toStageUrl(base, file.path) : null);
  const askLength = canPlay && !isLengthAsked ? () => setLengthAsked(true) : undefined;
  return (
    <li
      ref={isAsked ? showTile : undefined}
      className={classes.tile}
      data-asked={isAsked || undefined}
      aria-current={isAsked || undefined}
      onPointerEnter={askLength}
      onFocus={askLength}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dragging is a second way; @ in the message field is the other */}
      <div className={classes.picture} draggable onDragStart={(event) => startFileDrag(event, file.path)}>
        <AssetThumb file={file} />
        {canPlay && (
          <ActionIcon
            className={classes.play}
            variant="filled"
            color="iris"
            radius="xl"
            size="lg"
            aria-label={t(isPlaying ? 'stop' : 'play', { name })}
            onClick={() => setPlaying(!isPlaying)}
          >
            {isPlaying ? <IconPlayerStop size={16} /> : <IconPlayerPlay size={16} />}
          </ActionIcon>
        )}
        {/* biome-ignore lint/a11y/useMediaCaption: a game's music and voices have none */}
        {canPlay && isPlaying && <audio src={toStageUrl(base, file.path)} autoPlay onEnded={() => setPlaying(false)} />}
      </div>
      <div className={classes.caption}>
        {isText(file.path) ? (
          <UnstyledButton className={classes.open} onClick={() => showFile(file.path)}>
            {name}
          </UnstyledButton>
        ) : (
          <span className={classes.name} title={name}>
            {name}
          </span>
        )}
        <ActionIcon size="sm" aria-label={t('usesOf', { name })} title={t('uses')} onClick={() => showSearch(name)}>
          <IconSearch size={14} />
        </ActionIcon>
        <ActionIcon
          size="sm"
          aria-label={t('copyNameOf', { name })}
          title={t('copyName')}
          onClick={() => void copyName(name)}
        >
          <IconCopy size={14} />
        </ActionIcon>
      </div>
      <span className={classes.size}>
        {formatBytes(file.bytes, i18n.language)}
        {length !== null && ` · ${formatLength(length)}`}
      </span>
    </li>
  );
}
