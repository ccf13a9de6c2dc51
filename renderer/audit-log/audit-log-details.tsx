import { UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AuditEntry } from '../../shared/model/audit.ts';
import { toVisible, toVisibleText } from '../../shared/text/shown-text.ts';
import { showView } from '../state/navigation.ts';
import { describeError } from '../ui/text/describe-error.ts';
import { Quoted } from '../ui/text/quoted.tsx';
import { showFile } from '../workflows/show-file.ts';
import classes from './audit-log-view.module.css';
import type { ArgumentLine } from './to-argument-lines.ts';

interface AuditLogDetailsProps {
  id: string;
  entry: AuditEntry;
  lines: readonly ArgumentLine[];
  /** Null where the call has none, or succeeded. */
  exitCode: number | null;
}

/** All details of one tool call. */
export function AuditLogDetails({ id, entry, lines, exitCode }: AuditLogDetailsProps) {
  const { t, i18n } = useTranslation('audit-log');
  const { decision, files, caller, risk } = entry;
  return (
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
          {decision ? t(`${decision.effect === 'ALLOW' ? 'allowedBy' : 'deniedBy'}.${decision.by}`) : t('undecided')}
          {entry.mode === 'plan' && ` · ${t('planMode')}`}
        </Detail>
      )}
      {caller && !entry.isForeign && (
        <Detail name={t('caller')}>
          {t(`callerType.${caller.type}`)}
          {caller.type === 'client' && (
            <>
              {' '}
              <bdi>{toVisible(caller.name ?? caller.id)}</bdi>
            </>
          )}
          {caller.role && caller.type !== 'user' && ` · ${t(`role.${caller.role}`)}`}
        </Detail>
      )}
      {risk && <Detail name={t('risk')}>{t(`riskLevel.${risk.level}`)}</Detail>}
      {files.length > 0 && (
        <Detail name={t('files')}>
          <FileLinks files={files} />
        </Detail>
      )}
      {entry.commands.length > 0 && (
        <Detail name={t('commands')}>
          <pre>{toVisibleText(entry.commands.join('\n'))}</pre>
        </Detail>
      )}
      {lines.length > 0 && (
        <Detail name={t('args')}>
          <ul className={classes.files}>
            {lines.map(({ name, text }) => (
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
  );
}

function FileLinks({ files }: { files: readonly string[] }) {
  const { t } = useTranslation('audit-log');
  return (
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
