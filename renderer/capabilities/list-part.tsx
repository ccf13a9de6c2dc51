import { UnstyledButton } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Input, Output } from '../../shared/contract.ts';
import { RISK_LEVELS } from '../../shared/model/capability/risk-matrix.ts';
import { toVisible } from '../../shared/text/shown-text.ts';
import { api } from '../api.ts';
import { useAppChanges } from '../state/app-changes.ts';
import { FilterRow, FilterSelect, FilterText } from '../ui/filters/filter-row.tsx';
import { VirtualList } from '../ui/list/virtual-list.tsx';
import { Message } from '../ui/message.tsx';
import { describeClaims } from '../ui/text/describe-claims.ts';
import classes from './capabilities-view.module.css';
import { CapabilityDetails } from './capability-details.tsx';

/** Debounce for typing in a filter. */
const READ_DELAY_MS = 200;
const TYPES = ['context', 'action', 'event'] as const;
const NAMESPACES = ['project', 'script', 'stage', 'history', 'agent', 'app', 'ext'] as const;

type Row = Output<'capabilities.list'>['items'][number];
type Filter = Omit<Input<'capabilities.list'>, 'page'>;

/** Everything that can be called or followed here, with a search. */
export function ListPart() {
  const { t } = useTranslation('capabilities');
  const [filter, setFilter] = useState<Filter>({});
  const { rows, total } = useCapabilities(filter);
  const [shown, setShown] = useState<Row | null>(null);
  const [isOpen, setOpen] = useState(false);
  const open = (row: Row) => {
    setShown(row);
    setOpen(true);
  };
  const scroller = useRef<HTMLDivElement>(null);
  const set = (change: { [K in keyof Filter]?: Filter[K] | undefined }) => {
    const entries = Object.entries({ ...filter, ...change }).filter(([, value]) => value !== undefined && value !== '');
    setFilter(Object.fromEntries(entries) as Filter);
  };
  return (
    <>
      <div className={classes.bar}>
        <FilterRow label={t('list.filters')}>
          <FilterText label={t('list.search')} value={filter.words} isSearch onChange={(words) => set({ words })} />
          <FilterSelect
            {...{ label: t('list.namespace'), placeholder: t('list.everything'), options: NAMESPACES }}
            toLabel={(each) => t(`list.namespaces.${each}`)}
            value={NAMESPACES.find((each) => each === filter.namespace)}
            onChange={(namespace) => set({ namespace })}
          />
          <FilterSelect
            {...{ label: t('list.type'), placeholder: t('list.everyType'), options: TYPES }}
            toLabel={(each) => t(`list.types.${each}`)}
            value={filter.type}
            onChange={(type) => set({ type })}
          />
          <FilterSelect
            {...{ label: t('list.risk'), placeholder: t('list.everyRisk'), options: RISK_LEVELS }}
            toLabel={(each) => t(`list.risks.${each}`)}
            value={filter.risk}
            onChange={(risk) => set({ risk })}
          />
          <FilterText label={t('list.provider')} value={filter.provider} onChange={(provider) => set({ provider })} />
          <FilterText label={t('list.tag')} value={filter.tag} onChange={(tag) => set({ tag })} />
        </FilterRow>
      </div>
      <p className={classes.count} role="status">
        {total !== null && t('list.count', { count: total })}
      </p>
      {total === null ? null : rows.length === 0 ? (
        <Message text={t('list.none')} />
      ) : (
        <div className={classes.scroll} ref={scroller}>
          <VirtualList items={rows} label={t('part.list')} className={classes.list} scroller={scroller}>
            {(row) => <CapabilityItem key={row.id} row={row} onOpen={() => open(row)} />}
          </VirtualList>
        </div>
      )}
      <CapabilityDetails row={shown} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

function CapabilityItem({ row, onOpen }: { row: Row; onOpen: () => void }) {
  const { t } = useTranslation('capabilities');
  const { id, name, description, type, risk, provider, claims } = row;
  return (
    <article className={classes.card}>
      <div className={classes.name}>
        <UnstyledButton
          className={classes.open}
          aria-label={t('details.open', { name: toVisible(name) })}
          aria-haspopup="dialog"
          onClick={onOpen}
        >
          {toVisible(name)}
        </UnstyledButton>{' '}
        <code className={classes.id}>{id}</code>
      </div>
      <p className={classes.hint}>
        {t(`list.types.${type}`)} · {t(`list.risks.${risk.level}`)} · {toVisible(provider.name)}
      </p>
      <p className={classes.about}>{toVisible(description)}</p>
      {claims && <p className={classes.hint}>{describeClaims(claims, t)}</p>}
    </article>
  );
}

/** `total` is null until the first answer. */
interface Answer {
  rows: readonly Row[];
  total: number | null;
}

/** Reads all pages of what matches, one after the other; an answer for an earlier filter is ignored. */
function useCapabilities(filter: Filter): Answer {
  const [answer, setAnswer] = useState<Answer>({ rows: [], total: null });
  const changes = useAppChanges((state) => state.connections + state.connection + state.tools);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the counter triggers a new request
  useEffect(() => {
    let isStale = false;
    const read = async () => {
      const rows: Row[] = [];
      for (let page = 1; !isStale; page += 1) {
        const { items, position } = await api.call('capabilities.list', { ...filter, page });
        rows.push(...items);
        if (!isStale) setAnswer({ rows: [...rows], total: position.total });
        if (!position.hasNext) return;
      }
    };
    // A failed request is repeated with the next change.
    const timer = setTimeout(() => void read().catch(() => undefined), READ_DELAY_MS);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [filter, changes]);
  return answer;
}
