import { UnstyledButton } from '@mantine/core';
import { IconBan, IconCheck, IconChevronRight, IconPencil, IconX } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type AuditEntry, type AuditOutcome, toOutcome } from '../../shared/model/audit.ts';
import { toVisible, toVisibleText } from '../../shared/model/shown-text.ts';
import { showView } from '../state/navigation.ts';
import { describeError } from '../ui/text/describe-error.ts';
import { Quoted } from '../ui/text/quoted.tsx';
import { showFile } from '../workflows/show-file.ts';
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
  const { decision, files } = entry;
  const when = new Date(entry.at);
  const arguments_ = toArgumentLines(entry.args, (count) => t('textLength', { count }));
  const places = files.length > 0 ? files : arguments_.filter(({ isPlace }) => isPlace).map(({ text }) => text);
  const about = [...arguments_.filter(({ isTelling }) => isTelling).map(({ text }) => text), ...places];
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
      {isOpen && (
        <dl id={id} className={classes.details}>
          {entry.isForeign && <Detail name={t('foreign')}>{t('foreignHint')}</Detail>}
          {entry.code !== null && (
            <Detail name={t('why')}>
              {describeError({ code: entry.code, ...(entry.reason !== null && { reason: entry.reason }) }, t)}
            </Detail>
          )}
          {exitCode !== null && <Detail name={t('why')}>{t('exitCode', { code: exitCode })}</Detail>}
          {!entry.isForeign && (
            <Detail name={t('decision')}>
              {decision
                ? t(`${decision.effect === 'ALLOW' ? 'allowedBy' : 'deniedBy'}.${decision.by}`)
                : t('undecided')}
              {entry.mode === 'plan' && ` · ${t('planMode')}`}
            </Detail>
          )}
          {files.length > 0 && (
            <Detail name={t('files')}>
              <ul className={classes.files}>
                {files.map((path) => (
                  <li key={path}>
                    <UnstyledButton
                      className={classes.link}
                      title={t('open', { path: toVisible(path) })}
                      onClick={() => showFile(path)}
                    >
                      <Quoted text={path} />
                    </UnstyledButton>
                  </li>
                ))}
                <li>
                  <UnstyledButton className={classes.link} onClick={() => showView('history')}>
                    {t('history')}
                  </UnstyledButton>
                </li>
              </ul>
            </Detail>
          )}
          {entry.commands.length > 0 && (
            <Detail name={t('commands')}>
              <pre>{toVisibleText(entry.commands.join('\n'))}</pre>
            </Detail>
          )}
          {arguments_.length > 0 && (
            <Detail name={t('args')}>
              <ul className={classes.files}>
                {arguments_.map(({ name, text }) => (
                  <li key={name}>
                    <code>{toVisible(name)}</code> <bdi>{toVisibleText(text)}</bdi>
                  </li>
                ))}
              </ul>
            </Detail>
          )}
          <Detail name={t('took')}>{t('milliseconds', { formatted: entry.ms.toLocaleString(i18n.language) })}</Detail>
          <Detail name={t('ids')}>
            <code>
              {toVisible(
                [
                  entry.tool,
                  entry.version,
                  entry.code,
                  entry.permissions.join(' '),
                  `trace ${entry.trace}`,
                  `call ${entry.call}`,
                ]
                  .filter(Boolean)
                  .join(' · '),
              )}
            </code>
          </Detail>
        </dl>
      )}
    </li>
  );
}

function Detail({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
