import { useTranslation } from 'react-i18next';
import { isAssetName } from '../../../shared/model/asset/asset.ts';
import type { ChangeSummary } from '../../../shared/model/change-summary.ts';
import { ChangeCounts } from '../../ui/change-counts.tsx';
import { Quoted } from '../../ui/text/quoted.tsx';
import { Spelled } from '../../ui/text/spelled.tsx';
import classes from '../chat-rows.module.css';

interface ChangeDetailsProps {
  change: ChangeSummary;
  /** Expanded initially. */
  isOpen: boolean;
}

const MARKS: Readonly<Record<string, 'added' | 'removed' | 'place'>> = { '+': 'added', '-': 'removed', '@': 'place' };

/** Shows the line changes of a step that waits for permission. */
export function ChangeDetails({ change, isOpen }: ChangeDetailsProps) {
  const { t } = useTranslation('chat');
  return (
    <details className={classes.details} open={isOpen}>
      <summary>{t('consent.change.title')}</summary>
      {change.files.map(({ path, kind, added, removed, lines }) => (
        <div key={path} className={classes.changed}>
          <p>
            <Quoted text={path} />
            {kind !== 'changed' && <span>{t(`consent.change.${kind}`)}</span>}
            <ChangeCounts path={path} added={added} removed={removed} />
          </p>
          {lines.length > 0 && !isAssetName(path) && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable
            <pre tabIndex={0}>
              {lines.map((line, index) => {
                const mark = MARKS[line.slice(0, 1)] ?? 'place';
                const text = mark === 'place' ? t('consent.change.place', { line: line.slice(1) }) : line;
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its position
                  <bdi key={index} data-mark={mark}>
                    <Spelled text={text} />
                  </bdi>
                );
              })}
            </pre>
          )}
        </div>
      ))}
      {change.more > 0 && <p>{t('consent.change.more', { count: change.more })}</p>}
    </details>
  );
}
