import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { isAssetName } from '../../shared/model/asset/asset.ts';
import { isLineEndingsOnly } from '../../shared/text/shown-lines.ts';
import { toVisible } from '../../shared/text/shown-text.ts';
import { readAsset } from '../state/project/read-asset.ts';
import { AssetComparison } from '../ui/asset-frame.tsx';
import { TextDiff } from '../ui/text-diff.tsx';
import classes from './history-view.module.css';

interface KeptTextPaneProps {
  path: string;
  /** The text that restoring writes; null: it removes the file. */
  kept: string | null;
  /** The text on disk; null: the file does not exist. */
  now: string | null;
  /** What the pane says of the kept text. */
  words: { kept: string; same: string; wouldRemove: string };
  /** Accessible label of the comparison. */
  label: string;
  isRestoring: boolean;
  onRestore: () => void;
}

/** Returns the name of a file as the history shows it. */
export function toShownName(path: string): string {
  return toVisible(path.replace(/^game\/(scene\/)?/, ''));
}

/** What restoring a text would change: the present text is the old side, the kept one the new one. */
export function KeptTextPane({ path, kept, now, words, label, isRestoring, onRestore }: KeptTextPaneProps) {
  const { t } = useTranslation('history');
  const isSame = kept === now;
  const note = isSame
    ? words.same
    : isLineEndingsOnly(now, kept)
      ? t('common:lineEndingsOnly')
      : kept === null
        ? words.wouldRemove
        : now === null
          ? t('gone')
          : null;
  return (
    <div className={classes.diff}>
      <div className={classes.bar}>
        <strong className={classes.path}>{toShownName(path)}</strong>
        <span className={classes.legend}>
          <span data-side="now">{t('now')}</span>
          <span aria-hidden>→</span>
          <span data-side="kept">{words.kept}</span>
        </span>
        <Button leftSection={<IconArrowBackUp size={15} />} disabled={isSame} loading={isRestoring} onClick={onRestore}>
          {t('restoreFile')}
        </Button>
      </div>
      {note && (
        <p className={classes.noteLine} data-tone={isSame ? 'quiet' : 'warn'}>
          {note}
        </p>
      )}
      <div className={classes.text}>
        {!isSame && isAssetName(path) && (
          <AssetComparison
            path={path}
            before={now}
            after={kept}
            labels={{ before: t('now'), after: words.kept }}
            read={readAsset}
          />
        )}
        {!isSame && !isAssetName(path) && (
          <TextDiff before={now ?? ''} after={kept ?? ''} language="webgal" label={label} />
        )}
      </div>
    </div>
  );
}
