import { Button, Popover, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PlaceholderKind, type PlaceholderPlan } from '../../shared/model/asset/placeholder.ts';
import { toVisible } from '../../shared/text/shown-text.ts';
import { api } from '../api.ts';
import { showView } from '../state/navigation.ts';
import { useBusy } from '../ui/hooks/use-busy.ts';
import { describeError } from '../ui/text/describe-error.ts';
import classes from './placeholders-button.module.css';

/** Lists what the game names and does not have, and submits placeholders for review. */
export function PlaceholdersButton() {
  const { t } = useTranslation('problems');
  const [isOpen, setOpen] = useState(false);
  const [plan, setPlan] = useState<PlaceholderPlan | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, run] = useBusy();
  const attempt = (work: () => Promise<void>) =>
    run(() => work().catch((error: unknown) => setProblem(describeError(error, t))));
  const open = () => {
    setProblem(null);
    setPlan(null);
    setOpen(true);
    attempt(async () => setPlan(await api.call('assets.missing', {})));
  };
  const propose = (count: number) =>
    attempt(async () => {
      await api.call('assets.proposePlaceholders', { title: t('placeholders.change', { count }) });
      setOpen(false);
      showView('review');
    });
  return (
    <Popover opened={isOpen} onChange={setOpen} position="top-end" width={340} trapFocus>
      <Popover.Target>
        <Button
          size="compact-xs"
          variant="default"
          className={classes.button ?? ''}
          aria-expanded={isOpen}
          onClick={isOpen ? () => setOpen(false) : open}
        >
          {t('placeholders.open')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown ?? ''}>
        <Text fw={600}>{t('placeholders.title')}</Text>
        {plan === null && problem === null && <Text role="status">{t('placeholders.checking')}</Text>}
        {plan && <PlanList plan={plan} />}
        {problem && <Text role="alert">{problem}</Text>}
        {plan && plan.files.length > 0 && (
          <Button size="compact-sm" loading={isBusy} onClick={() => propose(plan.files.length)}>
            {t('placeholders.propose', { count: plan.files.length })}
          </Button>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function PlanList({ plan: { files, leftOut, more } }: { plan: PlaceholderPlan }) {
  const { t } = useTranslation('problems');
  if (files.length + leftOut.length + more === 0) return <Text role="status">{t('placeholders.none')}</Text>;
  const kinds = PlaceholderKind.options
    .map((kind) => ({ kind, count: files.filter((file) => file.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => t(`placeholders.kinds.${kind}`, { count }));
  return (
    <>
      {files.length > 0 && (
        <>
          <Text size="sm">{t('placeholders.intro')}</Text>
          <Text size="sm" role="status">
            {kinds.join(t('common:listSeparator'))}
          </Text>
          <ul className={classes.list}>
            {files.map((file) => (
              <MissingFile key={file.path} {...file} />
            ))}
          </ul>
        </>
      )}
      {leftOut.length > 0 && (
        <>
          <Text size="sm">{t('placeholders.leftOut')}</Text>
          <ul className={classes.list}>
            {leftOut.map((file) => (
              <MissingFile key={file.path} {...file} note={t(`placeholders.faults.${file.fault}`)} />
            ))}
          </ul>
        </>
      )}
      {more > 0 && <Text size="sm">{t('placeholders.more', { count: more })}</Text>}
    </>
  );
}

function MissingFile({ path, script, line, note }: { path: string; script: string; line: number; note?: string }) {
  const { t } = useTranslation('problems');
  const place = t('placeholders.use', { file: toVisible(script.replace(/^game\/(?:scene\/)?/, '')), line });
  return (
    <li className={classes.file}>
      <span className={classes.name}>{toVisible(path.replace(/^game\//, ''))}</span>
      <span className={classes.note}>{note ?? place}</span>
    </li>
  );
}
