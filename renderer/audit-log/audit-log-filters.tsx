import { useTranslation } from 'react-i18next';
import { AUDIT_OUTCOMES, AuditDecision, type AuditFilter } from '../../shared/model/audit.ts';
import { FilterRow, FilterSelect, FilterText } from '../ui/filters/filter-row.tsx';
import { withFilter } from '../ui/filters/with-filter.ts';
import classes from './audit-log-view.module.css';
import { toDay, toMoment } from './to-filter.ts';

interface AuditLogFiltersProps {
  filter: AuditFilter;
  /** The tools in the log. */
  tools: readonly string[];
  toTitle: (tool: string) => string;
  onChange: (filter: AuditFilter) => void;
}

const AUTHORS = AuditDecision.shape.by.options;

/** The filters of the audit log. */
export function AuditLogFilters({ filter, tools, toTitle, onChange }: AuditLogFiltersProps) {
  const { t } = useTranslation('audit-log');
  const set = (change: Parameters<typeof withFilter<AuditFilter>>[1]) => onChange(withFilter(filter, change));
  return (
    <div className={classes.filters}>
      <FilterRow label={t('filters')}>
        <FilterText isSearch label={t('text')} value={filter.text} onChange={(text) => set({ text })} />
        <FilterSelect
          searchable
          label={t('tool')}
          placeholder={t('anyTool')}
          options={tools}
          toLabel={toTitle}
          value={filter.tool}
          onChange={(tool) => set({ tool })}
        />
        <FilterSelect
          label={t('outcomeLabel')}
          placeholder={t('anyOutcome')}
          options={AUDIT_OUTCOMES}
          toLabel={(value) => t(`outcome.${value}`)}
          value={filter.outcome}
          onChange={(outcome) => set({ outcome })}
        />
        <FilterSelect
          label={t('byLabel')}
          placeholder={t('anyBy')}
          options={AUTHORS}
          toLabel={(value) => t(`by.${value}`)}
          value={filter.by}
          onChange={(by) => set({ by })}
        />
        <FilterText label={t('file')} value={filter.file} onChange={(file) => set({ file })} />
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
      </FilterRow>
    </div>
  );
}
