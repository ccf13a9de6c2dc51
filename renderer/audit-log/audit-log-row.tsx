import { UnstyledButton } from '@mantine/core';
import { IconBan, IconCheck, IconChevronRight, IconPencil, IconX } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type AuditEntry, type AuditOutcome, toOutcome } from '../../shared/model/audit.ts';
import { Quoted } from '../ui/text/quoted.tsx';
import { AuditLogDetails } from './audit-log-details.tsx';
import classes from './audit-log-view.module.css';
import { toArgumentLines } from './to-argument-lines.ts';

interface AuditLogRowProps {
  entry: AuditEntry;
  title: string;
}

const ICONS: { [O in AuditOutcome]: typeof IconCheck } = {
  done: IconCheck,
  drafted: IconPencil,
  refused: IconBan,
  failed: IconX,
};

/** One tool call: title, time and outcome; expanded, all its details. */
export function AuditLogRow({ entry, title }: AuditLogRowProps) {
  const { t, i18n } = useTranslation('audit-log');
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const outcome = toOutcome(entry);
  const OutcomeIcon = ICONS[outcome];
  const { files } = entry;
  const when = new Date(entry.at);
  const lines = toArgumentLines(entry.args, (count) => t('textLength', { count }));
  const places = files.length > 0 ? files : lines.filter(({ isPlace }) => isPlace).map(({ text }) => text);
  const about = [...lines.filter(({ isTelling }) => isTelling).map(({ text }) => text), ...places];
  const exitCode = entry.ok && entry.exitCode !== undefined && entry.exitCode !== 0 ? entry.exitCode : null;
  return (
    <li className={classes.row} data-outcome={outcome} data-foreign={entry.isForeign || undefined}>
      <UnstyledButton
        className={classes.head}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <IconChevronRight className={classes.chevron} size={14} aria-hidden />
        <OutcomeIcon className={classes.outcome} size={15} aria-hidden />
        <span className={classes.title}>
          {title}
          {about.length > 0 && (
            <span className={classes.about}>
              {about.map((text, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat
                <Quoted key={index} text={text} />
              ))}
            </span>
          )}
        </span>
        {entry.isForeign && (
          <span className={classes.foreign} title={t('foreignHint')}>
            {t('foreign')}
          </span>
        )}
        <span className={classes.result}>{exitCode === null ? t(`outcome.${outcome}`) : t('endedBadly')}</span>
        <time className={classes.when} dateTime={entry.at}>
          {when.toLocaleString(i18n.language, { dateStyle: 'short', timeStyle: 'medium' })}
        </time>
      </UnstyledButton>
      {isOpen && <AuditLogDetails id={id} entry={entry} lines={lines} exitCode={exitCode} />}
    </li>
  );
}
