import { Button, Textarea } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AddedServers } from '../../../shared/model/external/provider-row.ts';
import { toLocalText } from '../../../shared/model/local-text.ts';
import { api } from '../../api.ts';
import { notify } from '../../state/notify.ts';
import { Message } from '../../ui/message.tsx';
import { describeError } from '../../ui/text/describe-error.ts';
import classes from '../permissions/permission-settings.module.css';
import { Section } from '../section.tsx';
import own from './service-row.module.css';
import { ServiceRow } from './service-row.tsx';
import { ServiceUses } from './service-uses.tsx';
import { useProviders } from './use-providers.ts';

/** Other programs whose tools the assistant may use: added here, shown before they start, and removed. */
export function ServiceSettings() {
  const { t } = useTranslation('permissions');
  const { rows: all, run } = useProviders();
  // Programs that connect by themselves are shown with their keys, where their role is chosen, too.
  const rows = all.filter(({ transport }) => transport !== null);

  const renew = () =>
    run(async () => {
      const { added, removed } = await api.call('tools.renew', {});
      const text = t('service.renewed', { added: added.length, removed: removed.length });
      notify({ level: 'success', text });
    });

  const remove = (id: string, name: string) =>
    run(async () => {
      await api.call('providers.remove', { id });
      notify({
        level: 'info',
        text: t('service.removed', { name }),
        action: { label: t('common:undo'), run: () => void run(() => api.call('providers.restore', { id })) },
      });
    });

  return (
    <Section title={t('service.title')} lead={t('service.lead')} id="services">
      {rows.length > 0 && (
        <div className={`${classes.card} ${own.list}`}>
          {rows.map((row) => (
            <ServiceRow key={row.id} row={row} run={run} onRemove={() => void remove(row.id, row.name)} />
          ))}
        </div>
      )}
      {all.length > rows.length && (
        <p className={classes.about}>{t('service.elsewhere', { count: all.length - rows.length })}</p>
      )}
      <AddService run={run} />
      {rows.some(({ status }) => status === 'ready') && (
        <div className={classes.foot}>
          <Button variant="default" onClick={() => void renew()}>
            {t('service.renew')}
          </Button>
          <span className={classes.kindHint}>{t('service.renewHint')}</span>
        </div>
      )}
      <ServiceUses />
    </Section>
  );
}

/** Adds what the user pasted; nothing of it is started. */
function AddService({ run }: Pick<ReturnType<typeof useProviders>, 'run'>) {
  const { t } = useTranslation('permissions');
  const [text, setText] = useState('');
  const [refused, setRefused] = useState<AddedServers['refused']>([]);
  const [problem, setProblem] = useState<string | null>(null);

  const add = () =>
    run(async () => {
      try {
        const result = await api.call('providers.add', { text });
        setProblem(null);
        setRefused(result.refused);
        if (result.added.length > 0) setText('');
      } catch (error) {
        setProblem(describeError(error, t));
        setRefused([]);
      }
    });
  return (
    <>
      <Textarea
        label={t('service.enter')}
        description={t('service.enterHint')}
        autosize
        minRows={2}
        maxRows={12}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {problem !== null && <Message tone="error" text={problem} />}
      <Refusals refused={refused} />
      <div className={classes.foot}>
        <Button
          variant="default"
          leftSection={<IconPlus size={15} stroke={1.6} />}
          disabled={text.trim() === ''}
          onClick={() => void add()}
        >
          {t('service.add')}
        </Button>
        <span className={classes.kindHint}>{t('service.addHint')}</span>
      </div>
    </>
  );
}

/** What was entered and not added, and why. */
function Refusals({ refused }: Pick<AddedServers, 'refused'>) {
  const { t, i18n } = useTranslation('permissions');
  return refused.map(({ name, why }) => (
    <Message
      key={`${name}${why.en}`}
      tone="error"
      text={t('service.notAdded', { name, why: toLocalText(why, i18n.language) })}
    />
  ));
}
