import { Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { WriteOrigin } from '../../../shared/model/snapshot.ts';
import { TRANSACTION_STATUSES } from '../../../shared/model/transactions/transaction.ts';
import type { TransactionFilter } from '../../../shared/model/transactions/transaction-page.ts';
import classes from './change-log.module.css';

interface ChangeLogFiltersProps {
  filter: TransactionFilter;
  onChange: (filter: TransactionFilter) => void;
}

/** The filters of the change log, which are combined with “and”. */
export function ChangeLogFilters({ filter, onChange }: ChangeLogFiltersProps) {
  const { t } = useTranslation('history');
  const set = (change: { [K in keyof TransactionFilter]: TransactionFilter[K] | undefined }) => {
    const parts = Object.entries({ ...filter, ...change }).filter(([, value]) => value !== undefined && value !== '');
    onChange(Object.fromEntries(parts));
  };
  return (
    <search className={classes.filters} aria-label={t('log.filters')}>
      <TextInput
        className={classes.wide ?? ''}
        size="xs"
        aria-label={t('log.text')}
        placeholder={t('log.text')}
        leftSection={<IconSearch size={14} aria-hidden />}
        maxLength={500}
        value={filter.text ?? ''}
        onChange={(event) => set({ text: event.currentTarget.value })}
      />
      <Select
        size="xs"
        clearable
        aria-label={t('log.statusLabel')}
        placeholder={t('log.anyStatus')}
        data={TRANSACTION_STATUSES.map((value) => ({ value, label: t(`log.status.${value}`) }))}
        value={filter.status ?? null}
        onChange={(value) => set({ status: TRANSACTION_STATUSES.find((status) => status === value) })}
      />
      <Select
        size="xs"
        clearable
        aria-label={t('log.originLabel')}
        placeholder={t('log.anyOrigin')}
        data={WriteOrigin.options.map((value) => ({ value, label: t(`origin.${value}`) }))}
        value={filter.origin ?? null}
        onChange={(value) => set({ origin: WriteOrigin.options.find((origin) => origin === value) })}
      />
      <TextInput
        size="xs"
        aria-label={t('log.file')}
        placeholder={t('log.file')}
        maxLength={500}
        value={filter.file ?? ''}
        onChange={(event) => set({ file: event.currentTarget.value })}
      />
    </search>
  );
}
