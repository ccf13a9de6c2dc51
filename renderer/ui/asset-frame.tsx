import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Asset, type DescribedAsset, isPictureType, parseAssetText } from '../../shared/model/asset/asset.ts';
import classes from './asset-frame.module.css';
import { toAssetSize } from './text/asset-size.ts';
import { describeError } from './text/describe-error.ts';

/** Reads a picture or a sound by its id; `path` is where the game may have it. */
export type ReadAsset = (id: string, path?: string) => Promise<{ asset: Asset; data: string }>;

interface AssetFrameProps {
  asset: DescribedAsset;
  /** What it is to the user; the text for screen readers. */
  label: string;
  path?: string;
  read: ReadAsset;
}

/** A picture, or a player of a sound, with its size. Nothing is loaded from anywhere but the app. */
export function AssetFrame({ asset, label, path, read }: AssetFrameProps) {
  const { t, i18n } = useTranslation();
  const [url, setUrl] = useState<string | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const { id } = asset;
  useEffect(() => {
    let isCurrent = true;
    let made: string | null = null;
    setUrl(null);
    setProblem(null);
    read(id, path).then(
      ({ asset: found, data }) => {
        if (!isCurrent) return;
        const content = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
        made = URL.createObjectURL(new Blob([content], { type: found.type }));
        setUrl(made);
      },
      (error: unknown) => isCurrent && setProblem(error),
    );
    return () => {
      isCurrent = false;
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [id, path, read]);
  const isSound = asset.type !== null && !isPictureType(asset.type);
  return (
    <figure className={classes.root}>
      <div className={classes.media} data-sound={isSound || undefined}>
        {problem !== null && <span>{describeError(problem, t)}</span>}
        {problem === null && url === null && <span>{t('common:loading')}</span>}
        {/* biome-ignore lint/a11y/useMediaCaption: a sound of a game that is being made has no captions yet */}
        {url !== null && isSound && <audio controls src={url} aria-label={label} />}
        {url !== null && !isSound && <img src={url} alt={label} />}
      </div>
      <figcaption className={classes.facts}>
        {label} · {toAssetSize(asset, i18n.language)}
      </figcaption>
    </figure>
  );
}

interface AssetComparisonProps {
  path: string;
  /** The lines that stand for the two files (`toAssetText`); null: no file. */
  before: string | null;
  after: string | null;
  labels: { before: string; after: string };
  read: ReadAsset;
}

/** Two pictures or sounds beside each other, or the one that there is. */
export function AssetComparison({ path, before, after, labels, read }: AssetComparisonProps) {
  const sides = [
    { key: 'before', asset: before === null ? null : parseAssetText(before), label: labels.before },
    { key: 'after', asset: after === null ? null : parseAssetText(after), label: labels.after },
  ];
  return (
    <div className={classes.pair}>
      {sides.map(
        ({ key, asset, label }) =>
          asset && <AssetFrame key={key} asset={asset} label={label} path={path} read={read} />,
      )}
    </div>
  );
}
