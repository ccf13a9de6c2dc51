import { IconHistory } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { fileName } from '../../ui/text/file-name.ts';
import classes from '../chat-rows.module.css';
import type { ItemOf } from '../chat-rows.ts';
import { PlaceButton } from '../text/place-button.tsx';

/** Files that are named in a line; the others are counted. */
const MAX_NAMES = 3;

/** What happened to files that the conversation knows: undone, restored, or changed elsewhere. */
export function DiskRow({ item }: { item: ItemOf<'disk'> }) {
  const { t } = useTranslation('chat');
  return (
    <div className={classes.tool}>
      <IconHistory size={14} aria-hidden />
      <div>
        {item.groups.map(({ kind, by, count, paths, isMedia }) => (
          <p key={`${kind} ${by} ${isMedia}`}>
            {t(kind === 'undone' || kind === 'again' ? `disk.${kind}` : `disk.${kind}.${by}`)}{' '}
            {paths.slice(0, MAX_NAMES).map((path, index, named) => (
              <span key={path}>
                <PlaceButton path={path} line={null}>
                  <bdi>{fileName(path)}</bdi>
                </PlaceButton>
                {/* After the name: a comma must not begin a line. */}
                {index < named.length - 1 && t('common:listSeparator')}
              </span>
            ))}
            {count > MAX_NAMES && t('disk.more', { count: count - Math.min(MAX_NAMES, paths.length) })}
          </p>
        ))}
      </div>
    </div>
  );
}
