import { Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './filter-row.module.css';

/** The filters of a list, which are combined with “and”. */
export function FilterRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <search className={classes.row} aria-label={label}>
      {children}
    </search>
  );
}

interface FilterTextProps {
  label: string;
  value: string | undefined;
  /** True for the field that searches in all parts of an entry. */
  isSearch?: boolean;
  onChange: (value: string) => void;
}

export function FilterText({ label, value, isSearch, onChange }: FilterTextProps) {
  return (
    <TextInput
      className={(isSearch ? classes.wide : classes.field) ?? ''}
      size="xs"
      aria-label={label}
      placeholder={label}
      leftSection={isSearch ? <IconSearch size={14} aria-hidden /> : null}
      maxLength={500}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface FilterSelectProps<V extends string> {
  label: string;
  /** Shown while nothing is chosen. */
  placeholder: string;
  options: readonly V[];
  toLabel: (option: V) => string;
  value: V | undefined;
  searchable?: boolean;
  onChange: (value: V | undefined) => void;
}

export function FilterSelect<V extends string>(props: FilterSelectProps<V>) {
  const { label, placeholder, options, toLabel, value, searchable = false, onChange } = props;
  return (
    <Select
      className={classes.field ?? ''}
      size="xs"
      searchable={searchable}
      clearable
      aria-label={label}
      placeholder={placeholder}
      data={options.map((option) => ({ value: option as string, label: toLabel(option) }))}
      value={value ?? null}
      onChange={(chosen) => onChange(options.find((option) => option === chosen))}
    />
  );
}
