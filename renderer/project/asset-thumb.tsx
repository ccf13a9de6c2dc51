import {
  type Icon,
  IconBraces,
  IconFile,
  IconMicrophone,
  IconMovie,
  IconMusic,
  IconPalette,
  IconPhoto,
  IconSettings,
  IconSparkles,
  IconUser,
} from '@tabler/icons-react';
import { useState } from 'react';
import type { FileKind, ProjectFile } from '../../shared/model/project.ts';
import { useStage } from '../stage/stage-store.ts';
import classes from './asset-thumb.module.css';
import { isPicture, toStageUrl } from './file-kinds.ts';

const ICONS: Record<FileKind, Icon> = {
  scene: IconFile,
  background: IconPhoto,
  figure: IconUser,
  bgm: IconMusic,
  vocal: IconMicrophone,
  video: IconMovie,
  animation: IconSparkles,
  template: IconPalette,
  config: IconSettings,
  other: IconBraces,
};

interface AssetThumbProps {
  file: ProjectFile;
  /** Width and height in pixels; left out: as large as the place it stands in. */
  size?: number;
}

/** The picture itself where there is one to show, else a sign of its kind. */
export function AssetThumb({ file, size }: AssetThumbProps) {
  const base = useStage((state) => state.stage.url);
  const [isBroken, setBroken] = useState(false);
  const KindIcon = ICONS[file.kind];
  const style = size === undefined ? undefined : { width: size, height: size };
  return (
    <span className={classes.root} data-kind={file.kind} style={style} aria-hidden>
      {base && isPicture(file.path) && !isBroken ? (
        <img src={toStageUrl(base, file.path)} alt="" loading="lazy" decoding="async" onError={() => setBroken(true)} />
      ) : (
        <KindIcon size={size === undefined ? 28 : 15} stroke={1.5} />
      )}
    </span>
  );
}
