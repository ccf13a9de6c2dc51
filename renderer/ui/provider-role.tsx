import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Role } from '../../shared/model/capability/role.ts';

/** The roles that make a difference for another program: its tools that only read, or all of them. */
const GIVEN = ['viewer', 'editor'] as const;

interface ProviderRoleProps {
  name: string;
  /** Null: not chosen yet. */
  role: Role | null;
  onChange: (role: Role) => void;
}

/** Chooses what another program may do. */
export function ProviderRole({ name, role, onChange }: ProviderRoleProps) {
  const { t } = useTranslation('permissions');
  return (
    <Select
      size="xs"
      w={180}
      aria-label={t('service.roleOf', { name })}
      allowDeselect={false}
      placeholder={t('service.mayWhat')}
      value={role === null ? null : role === 'viewer' || role === 'writer' ? 'viewer' : 'editor'}
      data={GIVEN.map((value) => ({ value, label: t(`service.may.${value}`) }))}
      onChange={(chosen) => onChange(chosen === 'viewer' ? 'viewer' : 'editor')}
    />
  );
}
