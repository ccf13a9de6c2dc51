import { ActionIcon, Button, Switch } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Role } from '../../../shared/model/capability/role.ts';
import { type ProviderRow, REST_OF_TOOLS } from '../../../shared/model/external/provider-row.ts';
import { toLocalText } from '../../../shared/model/local-text.ts';
import { api } from '../../api.ts';
import { ProviderRole } from '../../ui/provider-role.tsx';
import { describeError } from '../../ui/text/describe-error.ts';
import classes from '../permissions/permission-settings.module.css';
import own from './service-row.module.css';

interface ServiceRowProps {
  row: ProviderRow;
  run: (action: () => Promise<unknown>) => Promise<boolean>;
  onRemove: () => void;
}

/** A connected service: its state in words, what it may do, and what would be started before it is. */
export function ServiceRow({ row, run, onRemove }: ServiceRowProps) {
  const { t, i18n } = useTranslation('permissions');
  const { id, name, status, problem, refused, transport } = row;
  const named = refused.filter((each) => each.name !== REST_OF_TOOLS);
  const rest = refused.find((each) => each.name === REST_OF_TOOLS);
  const left = [
    named.length > 0 && t('service.leftOut', { count: named.length, names: named[0]?.name ?? '' }),
    rest && t('service.leftOutWhy', { why: toLocalText(rest.why, i18n.language) }),
  ].filter(Boolean);
  return (
    <div className={`${classes.tool} ${own.row}`} data-service={id} data-status={status}>
      <div>
        <div className={classes.name}>{name}</div>
        <p className={classes.about} role="status">
          {t(`service.status.${status}`, { count: row.offered })}
        </p>
        {problem && <p className={own.problem}>{describeError(problem, t)}</p>}
        {left.length > 0 && (
          <p
            className={classes.about}
            title={refused.map((each) => `${each.name}: ${toLocalText(each.why, i18n.language)}`).join('\n')}
          >
            {left.join(' ')}
          </p>
        )}
        {status === 'unconfirmed' ? (
          <Consent row={row} run={run} />
        ) : (
          transport && <code className={own.origin}>{toOrigin(transport)}</code>
        )}
      </div>
      <div className={own.controls}>
        {status === 'failed' && (
          <Button size="xs" variant="default" onClick={() => void run(() => api.call('providers.retry', { id }))}>
            {t('service.retry')}
          </Button>
        )}
        {status === 'signIn' && (
          <Button size="xs" onClick={() => void run(() => api.call('providers.signIn', { id }))}>
            {t('service.signIn')}
          </Button>
        )}
        {status !== 'unconfirmed' && (
          <>
            <ProviderRole
              {...{ name, role: row.role }}
              onChange={(role) => void run(() => api.call('providers.setRole', { id, role }))}
            />
            <Switch
              aria-label={t('service.on', { name })}
              checked={status !== 'off'}
              onChange={(event) => {
                const enabled = event.currentTarget.checked;
                void run(() => api.call('providers.setEnabled', { id, enabled }));
              }}
            />
          </>
        )}
        <ActionIcon variant="subtle" color="gray" aria-label={t('service.remove', { name })} onClick={onRemove}>
          <IconTrash size={16} stroke={1.6} />
        </ActionIcon>
      </div>
    </div>
  );
}

/** Everything that would be started or called, for the user to agree to. */
function Consent({ row, run }: Pick<ServiceRowProps, 'row' | 'run'>) {
  const { t } = useTranslation('permissions');
  const [role, setRole] = useState<Role | null>(null);
  const { id, transport, consent } = row;
  if (transport === null || consent === null) return null;
  const names = transport.type === 'stdio' ? transport.env : transport.headers;
  return (
    <div className={own.consent}>
      <p className={classes.about}>
        {t(transport.type === 'stdio' ? 'service.startsProgram' : 'service.callsAddress')}
      </p>
      <code className={own.command}>{transport.type === 'stdio' ? transport.command : transport.url}</code>
      {transport.type === 'stdio' &&
        // biome-ignore lint/suspicious/noArrayIndexKey: arguments have no identity but their place
        transport.args.map((word, index) => <code key={index} className={own.command}>{`· ${word}`}</code>)}
      {names.length > 0 && (
        <p className={classes.about}>{t('service.secrets', { names: names.join(t('common:listSeparator')) })}</p>
      )}
      <div className={classes.foot}>
        <ProviderRole name={row.name} role={role} onChange={setRole} />
        <Button
          size="xs"
          disabled={role === null}
          onClick={() => role && void run(() => api.call('providers.agree', { id, shown: consent, role }))}
        >
          {t(transport.type === 'stdio' ? 'service.start' : 'service.connect')}
        </Button>
      </div>
    </div>
  );
}

function toOrigin(transport: NonNullable<ProviderRow['transport']>): string {
  return transport.type === 'stdio' ? [transport.command, ...transport.args].join(' ') : transport.url;
}
