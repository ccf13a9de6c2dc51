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
import { isPicture, toStageUrl } from '../state/project/file-kinds.ts';
import { useStage } from '../state/stage/stage-store.ts';
import classes from './asset-thumb.module.css';

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
  /** Width and height in pixels; fills its container when omitted. */
  size?: number;
}

/** A thumbnail of a picture, or an icon for other kinds. */
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
