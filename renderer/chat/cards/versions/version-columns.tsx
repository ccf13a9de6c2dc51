import { Button, VisuallyHidden } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { toSpelled } from '../../../../shared/text/spelled-text.ts';
import { Spelled } from '../../../ui/text/spelled.tsx';
import rows from '../../chat-rows.module.css';
import classes from './version-columns.module.css';

interface VersionColumnsProps {
  titles: readonly string[];
  texts: readonly string[];
  /** The present text, as a first column; absent where space is short. */
  before?: string | undefined;
  /** Indices. */
  chosen: readonly number[];
  isBusy?: boolean;
  /** Absent once the question is answered. */
  onChoose?: (index: number) => void;
}

/** Versions of a passage, beside each other where there is room, with the present text before them. */
export function VersionColumns({ titles, texts, before, chosen, isBusy = false, onChoose }: VersionColumnsProps) {
  const { t } = useTranslation('chat');
  return (
    <div className={classes.columns}>
      {before !== undefined && (
        <section className={classes.version} data-now aria-label={t('versions.now')}>
          <h4 className={classes.title}>{t('versions.now')}</h4>
          <VersionText text={before} />
        </section>
      )}
      {titles.map((title, index) => {
        const isChosen = chosen.includes(index);
        const name = toSpelled(title);
        return (
          <section key={title} className={classes.version} data-chosen={isChosen || undefined} aria-label={name}>
            <h4 className={classes.title}>
              <span className={rows.choiceMark} data-chosen={isChosen || undefined} aria-hidden>
                {isChosen ? <IconCheck size={12} stroke={2.5} /> : index + 1}
              </span>
              <span>
                <Spelled text={name} />
                {isChosen && <VisuallyHidden> ({t('question.chosen')})</VisuallyHidden>}
              </span>
            </h4>
            <VersionText text={texts[index] ?? ''} />
            {onChoose && (
              <Button
                size="xs"
                variant="light"
                disabled={isBusy}
                aria-label={t('versions.useNamed', { title: name })}
                onClick={() => onChoose(index)}
              >
                {t('versions.use')}
              </Button>
            )}
          </section>
        );
      })}
    </div>
  );
}

function VersionText({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable
    <pre className={classes.text} tabIndex={0}>
      <Spelled text={toSpelled(text)} />
    </pre>
  );
}
