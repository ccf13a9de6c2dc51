import { IconAlertTriangle, IconShieldLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { PolicyFacts } from '../../../shared/model/capability.ts';
import { describeError } from '../../ui/text/describe-error.ts';
import classes from './permission-settings.module.css';

interface PolicySummaryProps {
  policy: PolicyFacts;
}

/** What the game's policy file restricts, or the error in it that blocks the assistant. */
export function PolicySummary({ policy }: PolicySummaryProps) {
  const { t } = useTranslation('permissions');
  const { file, broken, closedFolders, ignored } = policy;
  if (broken) {
    const details = { file, line: broken.line ?? 1, key: broken.key ?? '' };
    return (
      <div className={classes.policy} data-tone="error" role="alert">
        <IconAlertTriangle size={17} aria-hidden />
        <p>{describeError({ code: 'E_POLICY_VIOLATION', reason: broken.reason, details }, t)}</p>
      </div>
    );
  }
  const separator = t('common:listSeparator');
  return (
    <div className={classes.policy}>
      <IconShieldLock size={17} aria-hidden />
      <div>
        <p className={classes.name}>{t('policy.title')}</p>
        <p>{t('policy.others', { file })}</p>
        {closedFolders.length > 0 && <p>{t('policy.closed', { folders: closedFolders.join(separator) })}</p>}
        {ignored.length > 0 && <p>{t('policy.ignored', { keys: ignored.join(separator) })}</p>}
      </div>
    </div>
  );
}
