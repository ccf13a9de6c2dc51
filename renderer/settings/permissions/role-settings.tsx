import { Select, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ROLES, type Role, type Roles } from '../../../shared/model/capability/role.ts';
import { updateSettings, useSettings } from '../../state/settings-store.ts';
import classes from './permission-settings.module.css';

/** Whose role can be chosen here. */
const HOLDERS = ['assistant', 'mcp', 'api'] as const satisfies readonly (keyof Roles)[];

/** What the assistant and other programs may do at most. */
export function RoleSettings() {
  const { t } = useTranslation('permissions');
  const roles = useSettings((state) => state.settings.roles);
  const discoveryApi = useSettings((state) => state.settings.discoveryApi);
  const toOption = (value: Role | 'started') => ({ value, label: t(`role.name.${value}`) });
  return (
    <section className={classes.kind} aria-labelledby="roles">
      <h4 id="roles" className={classes.kindName}>
        {t('role.title')} <span className={classes.kindHint}>{t('role.lead')}</span>
      </h4>
      <div className={classes.card}>
        {HOLDERS.map((holder) => {
          const value = roles[holder] ?? 'started';
          return (
            <div key={holder} className={classes.tool} data-role-of={holder}>
              <div>
                <div className={classes.name}>{t(`role.${holder}`)}</div>
                <p className={classes.about}>{t(`role.hint.${value}`)}</p>
              </div>
              <Select
                size="xs"
                w={180}
                aria-label={t(`role.${holder}`)}
                allowDeselect={false}
                value={value}
                data={[...(holder === 'mcp' ? [toOption('started')] : []), ...ROLES.map(toOption)]}
                onChange={(chosen) => {
                  const role = ROLES.find((each) => each === chosen) ?? null;
                  void updateSettings({ roles: { ...roles, [holder]: role } });
                }}
              />
            </div>
          );
        })}
        <div className={classes.tool}>
          <div>
            <div className={classes.name}>{t('discovery.switch')}</div>
            <p className={classes.about}>{t('discovery.hint', { file: 'api.json' })}</p>
          </div>
          <Switch
            aria-label={t('discovery.switch')}
            checked={discoveryApi}
            onChange={(event) => void updateSettings({ discoveryApi: event.currentTarget.checked })}
          />
        </div>
      </div>
    </section>
  );
}
