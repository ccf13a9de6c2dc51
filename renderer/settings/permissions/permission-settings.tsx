import { Button, Switch } from '@mantine/core';
import { IconListDetails, IconRestore } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ToolKind } from '../../../shared/model/capability.ts';
import { api } from '../../api.ts';
import { showView } from '../../state/navigation.ts';
import { notify, notifyError } from '../../state/notify.ts';
import { updateSettings, useSettings } from '../../state/settings-store.ts';
import { Message } from '../../ui/message.tsx';
import { describeError } from '../../ui/text/describe-error.ts';
import { Section } from '../section.tsx';
import classes from './permission-settings.module.css';
import { PolicySummary } from './policy-summary.tsx';
import { RoleSettings } from './role-settings.tsx';
import { ToolChoiceRow } from './tool-choice-row.tsx';
import { useToolFacts } from './use-tool-facts.ts';

/** Groups from harmless to risky. Tools that only communicate with the user need no permission and are not listed. */
const KINDS = ['read', 'stage', 'write', 'external', 'command'] as const satisfies readonly ToolKind[];

/** The assistant's permissions: one row per tool, generated from the tools' declarations. */
export function PermissionSettings() {
  const { t } = useTranslation('permissions');
  const { tools, policy, error, choose } = useToolFacts();
  const developerMode = useSettings((state) => state.settings.developerMode);
  const chosen = useSettings((state) => Object.keys(state.settings.tools).length);
  const isClosed = policy?.noDeveloperMode === true;

  const reset = () =>
    api.call('settings.resetTools', {}).then(() => notify({ level: 'success', text: t('resetDone') }), notifyError);

  return (
    <Section title={t('title')} lead={t('lead')}>
      {error !== undefined && <Message tone="error" text={describeError(error, t)} />}
      {!tools && error === undefined && <Message text={t('common:loading')} />}
      {policy && <PolicySummary policy={policy} />}
      <RoleSettings />
      {tools &&
        KINDS.map((kind) => {
          const own = tools.filter((tool) => tool.kind === kind);
          if (own.length === 0 && kind !== 'command') return null;
          return (
            <section key={kind} className={classes.kind} aria-labelledby={`kind-${kind}`}>
              <h4 id={`kind-${kind}`} className={classes.kindName}>
                {t(`kind.${kind}`)} <span className={classes.kindHint}>{t(`kind.${kind}Hint`)}</span>
              </h4>
              <div className={classes.card}>
                {kind === 'command' && (
                  <div className={classes.developer}>
                    <div>
                      <div className={classes.name}>{t('developer')}</div>
                      <p className={classes.about}>{t('developerHint')}</p>
                      {isClosed && <p className={classes.note}>{t('developerClosed')}</p>}
                    </div>
                    <Switch
                      aria-label={t('developer')}
                      aria-description={t('developerHint')}
                      checked={developerMode && !isClosed}
                      disabled={isClosed}
                      onChange={(event) => void updateSettings({ developerMode: event.currentTarget.checked })}
                    />
                  </div>
                )}
                {own.map((tool) => (
                  <ToolChoiceRow
                    key={tool.name}
                    tool={tool}
                    isOff={!tool.available || (tool.developer && (!developerMode || isClosed))}
                    onChoose={choose}
                  />
                ))}
              </div>
            </section>
          );
        })}
      <div className={classes.foot}>
        <Button
          variant="default"
          leftSection={<IconListDetails size={15} stroke={1.6} />}
          onClick={() => showView('audit-log')}
        >
          {t('auditLog')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconRestore size={15} stroke={1.6} />}
          disabled={chosen === 0}
          onClick={() => void reset()}
        >
          {t('reset')}
        </Button>
        {chosen === 0 && <span className={classes.kindHint}>{t('resetNone')}</span>}
      </div>
    </Section>
  );
}
