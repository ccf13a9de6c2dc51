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
import { useCallback, useEffect, useRef, useState } from 'react';
import type { FileKind, ProjectFile } from '../../shared/model/project.ts';
import { isPicture, toStageUrl } from '../state/project/file-kinds.ts';
import { useStage } from '../state/stage/stage-store.ts';
import classes from './asset-thumb.module.css';
import { decodeInTurn } from './decode-in-turn.ts';

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
  const showIcon = useCallback(() => setBroken(true), []);
  const KindIcon = ICONS[file.kind];
  const style = size === undefined ? undefined : { width: size, height: size };
  return (
    <span className={classes.root} data-kind={file.kind} style={style} aria-hidden>
      {base && isPicture(file.path) && !isBroken ? (
        <Picture url={toStageUrl(base, file.path)} onError={showIcon} />
      ) : (
        <KindIcon size={size === undefined ? 28 : 15} stroke={1.5} />
      )}
    </span>
  );
}

/** A picture of the game, which can have millions of pixels: decoded in its turn, once it is near. */
function Picture({ url, onError }: { url: string; onError: () => void }) {
  const place = useRef<HTMLSpanElement>(null);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    if (place.current) return decodeInTurn(place.current, url, (isWhole) => (isWhole ? setReady(true) : onError()));
  }, [url, onError]);
  return isReady ? <img src={url} alt="" decoding="async" /> : <span ref={place} className={classes.place} />;
}
