import { UnstyledButton } from '@mantine/core';
import { IconGitCommit } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { toVisible } from '../../../shared/text/shown-text.ts';
import { toSpelled } from '../../../shared/text/spelled-text.ts';
import { useNow } from '../../ui/hooks/use-now.ts';
import { Spelled } from '../../ui/text/spelled.tsx';
import { timeAgo } from '../../ui/text/time-ago.ts';
import shared from '../change-log/change-log.module.css';
import { toShownName } from '../kept-text-pane.tsx';
import type { FileVersion } from './to-versions.ts';

interface VersionRowProps {
  version: FileVersion;
  path: string;
  isSelected: boolean;
  tabIndex: 0 | -1 | undefined;
  onSelect: () => void;
}

/** One version of a file: title, who made it, and when. */
export function VersionRow({ version, path, isSelected, tabIndex, onSelect }: VersionRowProps) {
  const { t, i18n } = useTranslation('history');
  const now = useNow();
  const { at } = version;
  const isCommit = version.kind === 'commit';
  const untitled = isCommit ? t('versions.untitled') : t(`untitled.${version.origin}`);
  return (
    <UnstyledButton
      className={shared.row}
      aria-current={isSelected ? 'true' : undefined}
      {...(tabIndex !== undefined && { tabIndex })}
      onClick={onSelect}
    >
      <span className={shared.title}>
        <Spelled text={toSpelled(version.title) || untitled} />
      </span>
      <span className={shared.status}>{toState(version, path, t)}</span>
      <span className={shared.about}>
        {isCommit ? (
          <>
            <IconGitCommit size={13} stroke={1.8} aria-hidden /> {t('versions.commit')}
            {' · '}
            {toVisible(version.author)}
          </>
        ) : (
          t(`origin.${version.origin}`)
        )}
      </span>
      <time
        className={shared.when}
        dateTime={new Date(at).toISOString()}
        title={new Date(at).toLocaleString(i18n.language)}
      >
        {timeAgo(at, i18n.language, now)}
      </time>
    </UnstyledButton>
  );
}

function toState(
  version: FileVersion,
  path: string,
  t: ReturnType<typeof useTranslation<'history'>>['t'],
): string | null {
  if (version.kind === 'snapshot') return version.existed ? null : t('created');
  if (version.change === 'removed') return t('versions.change.removed');
  if (version.name !== path) return t('versions.change.renamed', { name: toShownName(version.name) });
  return version.change === 'added' ? t('versions.change.added') : null;
}
