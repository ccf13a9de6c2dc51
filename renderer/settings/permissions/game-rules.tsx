import { IconAlertTriangle, IconShieldLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { RulesFacts } from '../../../shared/model/capability.ts';
import { describeError } from '../../ui/text/describe-error.ts';
import classes from './permission-settings.module.css';

interface GameRulesProps {
  rules: RulesFacts;
}

/** The rules of the game, or the error in them that blocks the assistant. */
export function GameRules({ rules }: GameRulesProps) {
  const { t } = useTranslation('permissions');
  const { file, broken, closedFolders, ignored } = rules;
  if (broken) {
    const details = { file, line: broken.line ?? 1, key: broken.key ?? '' };
    return (
      <div className={classes.rules} data-tone="error" role="alert">
        <IconAlertTriangle size={17} aria-hidden />
        <p>{describeError({ code: 'E_POLICY_VIOLATION', reason: broken.reason, details }, t)}</p>
      </div>
    );
  }
  const separator = t('common:listSeparator');
  return (
    <div className={classes.rules}>
      <IconShieldLock size={17} aria-hidden />
      <div>
        <p className={classes.name}>{t('rules.title')}</p>
        <p>{t('rules.others', { file })}</p>
        {closedFolders.length > 0 && <p>{t('rules.closed', { folders: closedFolders.join(separator) })}</p>}
        {ignored.length > 0 && <p>{t('rules.ignored', { keys: ignored.join(separator) })}</p>}
      </div>
    </div>
  );
}
