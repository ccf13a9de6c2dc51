import { Anchor, Button, CopyButton, Switch, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConnectionsState, ProviderRow } from '../../shared/model/capability/capability-methods.ts';
import { toProviderRole } from '../../shared/model/capability/role.ts';
import { toLocalText } from '../../shared/model/local-text.ts';
import { toVisible } from '../../shared/text/shown-text.ts';
import { api } from '../api.ts';
import { useAppChanges } from '../state/app-changes.ts';
import { askForSection } from '../state/asked-section.ts';
import { showView } from '../state/navigation.ts';
import { notifyError } from '../state/notify.ts';
import { updateSettings, useSettings } from '../state/settings-store.ts';
import { useBusy } from '../ui/hooks/use-busy.ts';
import { ProviderRole } from '../ui/provider-role.tsx';
import { describeError } from '../ui/text/describe-error.ts';
import classes from './capabilities-view.module.css';

const SWITCHES = [
  { setting: 'discoveryApi', words: 'permissions:discovery', file: 'api.json' },
  { setting: 'providerGateway', words: 'connection.gateway', file: 'gateway.json' },
] as const;

/** Which programs may use the app or offer abilities to it, and how they are. */
export function ConnectionsPart() {
  const { t, i18n } = useTranslation('capabilities');
  const settings = useSettings((state) => state.settings);
  const state = useConnections();
  const { providers: all = [], tokens = [] } = state ?? {};
  const providers = all.filter(({ kind }) => kind === 'gateway');
  const services = all.length - providers.length;
  const remove = (provider: string) => void api.call('connections.removeToken', { provider }).catch(notifyError);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <section className={classes.scroll} tabIndex={0} aria-label={t('part.connections')}>
      {SWITCHES.map(({ setting, words, file }) => (
        <div key={setting} className={classes.switch}>
          <Switch
            label={t(`${words}.switch`)}
            description={t(`${words}.hint`, { file })}
            checked={settings[setting]}
            onChange={(event) => void updateSettings({ [setting]: event.currentTarget.checked })}
          />
        </div>
      ))}
      <h3 className={classes.heading}>{t('connection.providers')}</h3>
      {providers.length === 0 && <p className={classes.hint}>{t('connection.noProviders')}</p>}
      <ul className={classes.list}>
        {providers.map((provider) => (
          <ProviderItem key={provider.id} provider={provider} />
        ))}
      </ul>
      <p className={classes.hint}>
        {services === 0 ? t('connection.noServices') : t('connection.services', { count: services })}{' '}
        <Anchor component="button" type="button" size="xs" onClick={showServices}>
          {t('connection.showServices')}
        </Anchor>
      </p>
      <h3 className={classes.heading}>{t('connection.tokens')}</h3>
      <p className={classes.hint}>{t('connection.tokensHint')}</p>
      <NewToken />
      <ul className={classes.list}>
        {tokens.map(({ provider, createdAt }) => (
          <li key={provider} className={classes.token}>
            <span className={classes.name}>{provider}</span>
            <span className={classes.hint}>
              {t('connection.created', { time: new Date(createdAt).toLocaleDateString(i18n.language) })}
            </span>
            <Button
              size="compact-xs"
              variant="default"
              onClick={() => remove(provider)}
              aria-label={t('connection.removeOf', { name: provider })}
            >
              {t('connection.remove')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Services that the user adds are set up in the settings, and shown only there. */
function showServices(): void {
  askForSection('services');
  showView('settings');
}

function ProviderItem({ provider }: { provider: ProviderRow }) {
  const { t, i18n } = useTranslation('capabilities');
  const role = useSettings(({ settings }) => toProviderRole(settings.roles, provider.id));
  const { id, name, health, offered, calls, note, refused, problem } = provider;
  return (
    <li className={classes.card} data-health={health}>
      <div className={classes.name}>{toVisible(name)}</div>
      <p className={classes.hint}>
        {t(`connection.health.${health}`)} · {t('connection.kind.gateway')} ·{' '}
        {t('connection.offers', { count: offered })}
        {calls > 0 && ` · ${t('connection.calls', { count: calls })}`}
      </p>
      <ProviderRole
        {...{ name: toVisible(name), role }}
        onChange={(chosen) => void api.call('providers.setRole', { id, role: chosen }).catch(notifyError)}
      />
      {note !== null && <p className={classes.hint}>{toVisible(note)}</p>}
      {problem && <p className={classes.problem}>{describeError(problem, t)}</p>}
      {refused.length > 0 && (
        <details>
          <summary>{t('connection.refused', { count: refused.length })}</summary>
          <ul>
            {refused.map(({ name: of, why }) => (
              <li key={of}>
                {toVisible(of)}: {toVisible(toLocalText(why, i18n.language))}
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

/** Creates a token, which is shown until the next one is created or the view is left. */
function NewToken() {
  const { t } = useTranslation('capabilities');
  const [name, setName] = useState('');
  const [created, setCreated] = useState<{ provider: string; token: string } | null>(null);
  const [isBusy, run] = useBusy();
  const create = () =>
    run(async () => {
      try {
        const { token } = await api.call('connections.createToken', { provider: name });
        setCreated({ provider: name, token });
        setName('');
      } catch (failure) {
        notifyError(failure);
      }
    });
  return (
    <>
      <form
        className={classes.token}
        onSubmit={(event) => {
          event.preventDefault();
          if (name !== '') create();
        }}
      >
        <TextInput
          size="xs"
          aria-label={t('connection.name')}
          placeholder={t('connection.name')}
          maxLength={64}
          value={name}
          onChange={(event) => setName(event.currentTarget.value.trim())}
        />
        <Button size="xs" type="submit" disabled={isBusy || name === ''}>
          {t('connection.create')}
        </Button>
      </form>
      {created && (
        <div className={classes.card} role="status">
          <p className={classes.hint}>{t('connection.once', { name: created.provider })}</p>
          <code className={classes.secret}>{created.token}</code>
          <CopyButton value={created.token}>
            {({ copied, copy }) => (
              <Button size="compact-xs" variant="default" onClick={copy}>
                {t(copied ? 'connection.copied' : 'connection.copy')}
              </Button>
            )}
          </CopyButton>
        </div>
      )}
    </>
  );
}

/** Null until it was read. */
function useConnections(): ConnectionsState | null {
  const [state, setState] = useState<ConnectionsState | null>(null);
  const changes = useAppChanges(({ connections, connection, tools }) => connections + connection + tools);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the counter triggers a new request
  useEffect(() => {
    let isStale = false;
    api.call('connections.state', {}).then(
      (next) => !isStale && setState(next),
      // Read again with the next change.
      () => undefined,
    );
    return () => {
      isStale = true;
    };
  }, [changes]);
  return state;
}
