import { Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { AUDIT_OUTCOMES, AuditDecision, type AuditFilter } from '../../shared/model/audit.ts';
import classes from './audit-log-view.module.css';
import { toDay, toMoment, withFilter } from './to-filter.ts';

interface AuditLogFiltersProps {
  filter: AuditFilter;
  /** The tools in the log, with their displayed titles. */
  tools: { value: string; label: string }[];
  onChange: (filter: AuditFilter) => void;
}

const AUTHORS = AuditDecision.shape.by.options;

/** The filters of the audit log, which are combined with “and”. */
export function AuditLogFilters({ filter, tools, onChange }: AuditLogFiltersProps) {
  const { t } = useTranslation('audit-log');
  const set = (change: Parameters<typeof withFilter>[1]) => onChange(withFilter(filter, change));
  return (
    <search className={classes.filters} aria-label={t('filters')}>
      <TextInput
        className={classes.wide ?? ''}
        size="xs"
        aria-label={t('text')}
        placeholder={t('text')}
        leftSection={<IconSearch size={14} aria-hidden />}
        maxLength={500}
        value={filter.text ?? ''}
        onChange={(event) => set({ text: event.currentTarget.value })}
      />
      <Select
        size="xs"
        searchable
        clearable
        aria-label={t('tool')}
        placeholder={t('anyTool')}
        data={tools}
        value={filter.tool ?? null}
        onChange={(value) => set({ tool: value ?? undefined })}
      />
      <Select
        size="xs"
        clearable
        aria-label={t('outcomeLabel')}
        placeholder={t('anyOutcome')}
        data={AUDIT_OUTCOMES.map((value) => ({ value, label: t(`outcome.${value}`) }))}
        value={filter.outcome ?? null}
        onChange={(value) => set({ outcome: AUDIT_OUTCOMES.find((outcome) => outcome === value) })}
      />
      <Select
        size="xs"
        clearable
        aria-label={t('byLabel')}
        placeholder={t('anyBy')}
        data={AUTHORS.map((value) => ({ value, label: t(`by.${value}`) }))}
        value={filter.by ?? null}
        onChange={(value) => set({ by: AUTHORS.find((by) => by === value) })}
      />
      <TextInput
        size="xs"
        aria-label={t('file')}
        placeholder={t('file')}
        maxLength={500}
        value={filter.file ?? ''}
        onChange={(event) => set({ file: event.currentTarget.value })}
      />
      <div className={classes.days}>
        {(['from', 'to'] as const).map((end) => (
          <label key={end} className={classes.day}>
            {t(end)}
            <input
              type="date"
              value={toDay(filter[end])}
              onChange={(event) =>
                set({ [end]: toMoment(event.currentTarget.value, end === 'from' ? 'first' : 'last') })
              }
            />
          </label>
        ))}
      </div>
    </search>
  );
}
