import { useTranslation } from 'react-i18next';
import { isAssetName, isPictureName, parseAssetText } from '../../shared/model/asset/asset.ts';
import classes from './change-counts.module.css';
import { toAssetSize } from './text/asset-size.ts';

interface ChangeCountsProps {
  path: string;
  added: number;
  removed: number;
  /** The proposed text; with it, the size of a picture or a sound is shown. */
  after?: string | null;
}

/** Number of added and removed lines; of a picture or a sound what happens to it, in words. */
export function ChangeCounts(props: ChangeCountsProps) {
  return isAssetName(props.path) ? <AssetChange {...props} /> : <LineCounts {...props} />;
}

function AssetChange({ path, added, removed, after }: ChangeCountsProps) {
  const { t, i18n } = useTranslation('chat');
  const what = isPictureName(path) ? 'picture' : 'sound';
  const asset = after ? parseAssetText(after) : null;
  const change = removed === 0 ? 'added' : added === 0 ? 'removed' : 'replaced';
  return (
    <span className={classes.root}>
      {t(`review.${what}.${change}`)}
      {asset && ` · ${toAssetSize(asset, i18n.language)}`}
    </span>
  );
}

function LineCounts({ added, removed }: ChangeCountsProps) {
  const { t } = useTranslation('chat');
  return (
    <span className={classes.root}>
      {added > 0 && (
        <span className={classes.added} role="img" aria-label={t('review.added', { count: added })}>
          +{added}
        </span>
      )}
      {removed > 0 && (
        <span className={classes.removed} role="img" aria-label={t('review.removed', { count: removed })}>
          −{removed}
        </span>
      )}
    </span>
  );
}
