import { Button, Modal } from '@mantine/core';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { Output } from '../../shared/contract.ts';
import { toVisible, toVisibleText } from '../../shared/text/shown-text.ts';
import { api } from '../api.ts';
import { useAppChanges } from '../state/app-changes.ts';
import { Message } from '../ui/message.tsx';
import { describeClaims } from '../ui/text/describe-claims.ts';
import { describeError } from '../ui/text/describe-error.ts';
import classes from './capability-details.module.css';
import { Parameters } from './parameters.tsx';

type Capability = Output<'capabilities.read'>['capability'];

/** Marks around names in the app's own sentences, which would be spelled out. */
const ISOLATES = /[\u2068\u2069]/g;

const Answer = z.object({
  text: z.object({ contentSchema: z.looseObject({ properties: z.record(z.string(), z.unknown()) }) }),
});

const EFFECTS = {
  ...{ 'fs.read': 'fsRead', 'fs.write': 'fsWrite', 'fs.delete': 'fsDelete', 'proc.exec': 'procExec' },
  ...{ 'net.connect': 'netConnect', 'git.write': 'gitWrite', 'ext.call': 'extCall' },
} as const;

interface CapabilityDetailsProps {
  /** What is shown, also while the window closes; null before it opens for the first time. */
  row: { id: string; name: string } | null;
  isOpen: boolean;
  onClose: () => void;
}

/** Everything that is published about one capability, in a window of its own. It stays mounted, so that focus returns. */
export function CapabilityDetails({ row, isOpen, onClose }: CapabilityDetailsProps) {
  const { t } = useTranslation('capabilities');
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={toVisible(row?.name ?? '')}
      size={640}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      {row && <Content key={row.id} id={row.id} />}
    </Modal>
  );
}

function Content({ id }: { id: string }) {
  const { t } = useTranslation('capabilities');
  const { capability, error, retry } = useCapability(id);
  if (error !== null) {
    return (
      <Message tone="error" text={describeError(error, t)}>
        <Button onClick={retry}>{t('details.again')}</Button>
      </Message>
    );
  }
  return capability ? <Manifest capability={capability} /> : <Message text={t('common:loading')} />;
}

function Manifest({ capability }: { capability: Capability }) {
  const { t, i18n } = useTranslation('capabilities');
  const { id, version, type, provider, description, risk, permissions, effects, claims, requiredRoles } = capability;
  const { rateLimit, deprecated, parameters, returns, examples, tags } = capability;
  const answer = findAnswerSchema(returns);
  const byline = { name: toVisible(provider.name), version: toVisible(provider.version ?? '') };
  const separator = t('common:listSeparator');
  return (
    <>
      <dl className={classes.facts}>
        <Fact name={t('details.what')}>{toVisibleText(description)}</Fact>
        {deprecated && (
          <Fact name={t('details.deprecated')}>
            {t('details.since', { since: deprecated.since, removal: deprecated.removalVersion })}
            {deprecated.sunset &&
              ` ${t('details.sunset', { date: new Date(deprecated.sunset).toLocaleDateString(i18n.language) })}`}
            {deprecated.replacement && ` ${t('details.replacement', { id: deprecated.replacement })}`}
          </Fact>
        )}
        <Fact name={t('list.type')}>{t(`list.types.${type}`)}</Fact>
        <Fact name={t('details.risk')}>
          <strong className={classes.risk} data-level={risk.level}>
            {t(`list.risks.${risk.level}`)}
          </strong>{' '}
          {toVisible(risk.reason)}
          {type === 'action' && ` ${t(risk.rollbackSupported ? 'details.canUndo' : 'details.cannotUndo')}`}
          {risk.approvalRequired && ` ${t('details.asks')}`}
        </Fact>
        {effects.length > 0 && (
          <Fact name={t('details.effects')}>
            {effects.map((effect) => t(`details.effectOf.${EFFECTS[effect]}`)).join(separator)}
            {claims && <span className={classes.note}>{describeClaims(claims, t)}</span>}
          </Fact>
        )}
        <Fact name={t('details.role')}>{requiredRoles.map((role) => t(`details.roleOf.${role}`)).join(separator)}</Fact>
        <Fact name={t('details.rate')}>
          {'requests' in rateLimit
            ? t('details.rateOf', { count: rateLimit.requests, period: t(`details.period.${rateLimit.period}`) })
            : t('details.subscriptions', { count: rateLimit.subscriptions })}
        </Fact>
        <Fact name={t('details.by')}>{provider.version ? t('details.byVersion', byline) : byline.name}</Fact>
        <Fact name={t('details.id')}>
          <code>{id}</code>
        </Fact>
        <Fact name={t('details.version')}>{version}</Fact>
        <Fact name={t('details.permissions')}>
          <code>{permissions.join(' ')}</code>
        </Fact>
        {tags.length > 0 && <Fact name={t('details.tags')}>{toVisible(tags.join(separator))}</Fact>}
      </dl>
      <Section title={t('details.parameters')}>
        <Parameters schema={parameters} />
      </Section>
      {answer && (
        <Section title={t('details.returns')}>
          <Parameters schema={answer} />
        </Section>
      )}
      {examples.length > 0 && (
        <Section title={t('details.examples')}>
          {examples.map((example, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat
            <figure key={index} className={classes.example}>
              <figcaption>{toVisible(example.name.replace(ISOLATES, ''))}</figcaption>
              <pre>{toVisibleText(JSON.stringify(example.parameters, null, 2))}</pre>
              {example.response !== undefined && (
                <>
                  <div>{t('details.response')}</div>
                  <pre>{toVisibleText(JSON.stringify(example.response, null, 2))}</pre>
                </>
              )}
            </figure>
          ))}
        </Section>
      )}
    </>
  );
}

/** Returns what another program says of the names in its answers; null where it says nothing. The app's own are for programs. */
function findAnswerSchema({ properties }: Capability['returns']): Record<string, unknown> | null {
  const said = Answer.safeParse(properties);
  return said.success && Object.keys(said.data.text.contentSchema.properties).length > 0
    ? said.data.text.contentSchema
    : null;
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={classes.heading}>
        {title}
      </h3>
      {children}
    </section>
  );
}

/** Reads it anew after each change of what is offered. */
function useCapability(id: string): { capability: Capability | null; error: unknown; retry: () => void } {
  const [answer, setAnswer] = useState<{ capability: Capability | null; error: unknown }>({
    capability: null,
    error: null,
  });
  const [asked, setAsked] = useState(0);
  const changes = useAppChanges((state) => state.connections + state.connection + state.tools);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the counters trigger a new request
  useEffect(() => {
    let isStale = false;
    api.call('capabilities.read', { id }).then(
      ({ capability }) => !isStale && setAnswer({ capability, error: null }),
      (error: unknown) => !isStale && setAnswer({ capability: null, error }),
    );
    return () => {
      isStale = true;
    };
  }, [id, asked, changes]);
  return { ...answer, retry: () => setAsked((before) => before + 1) };
}
