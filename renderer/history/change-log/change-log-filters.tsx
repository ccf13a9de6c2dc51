import { useTranslation } from 'react-i18next';
import { WriteOrigin } from '../../../shared/model/snapshot.ts';
import { TRANSACTION_STATUSES } from '../../../shared/model/transactions/transaction.ts';
import type { TransactionFilter } from '../../../shared/model/transactions/transaction-page.ts';
import { FilterRow, FilterSelect, FilterText } from '../../ui/filters/filter-row.tsx';
import { withFilter } from '../../ui/filters/with-filter.ts';

interface ChangeLogFiltersProps {
  filter: TransactionFilter;
  onChange: (filter: TransactionFilter) => void;
}

/** The filters of the change log. */
export function ChangeLogFilters({ filter, onChange }: ChangeLogFiltersProps) {
  const { t } = useTranslation('history');
  return (
    <FilterRow label={t('log.filters')}>
      <FilterText
        isSearch
        label={t('log.text')}
        value={filter.text}
        onChange={(text) => onChange(withFilter(filter, { text }))}
      />
      <FilterSelect
        label={t('log.statusLabel')}
        placeholder={t('log.anyStatus')}
        options={TRANSACTION_STATUSES}
        toLabel={(value) => t(`log.status.${value}`)}
        value={filter.status}
        onChange={(status) => onChange(withFilter(filter, { status }))}
      />
      <FilterSelect
        label={t('log.originLabel')}
        placeholder={t('log.anyOrigin')}
        options={WriteOrigin.options}
        toLabel={(value) => t(`origin.${value}`)}
        value={filter.origin}
        onChange={(origin) => onChange(withFilter(filter, { origin }))}
      />
      <FilterText
        label={t('log.file')}
        value={filter.file}
        onChange={(file) => onChange(withFilter(filter, { file }))}
      />
    </FilterRow>
  );
}
