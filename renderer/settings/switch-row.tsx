import { Switch } from '@mantine/core';
import type { SwitchSetting } from '../../shared/model/settings.ts';
import { updateSettings, useSettings } from '../state/settings-store.ts';
import { SettingRow } from './section.tsx';

interface Props {
  setting: SwitchSetting;
  label: string;
  hint?: string;
}

/** A setting that is on or off; a click applies it. */
export function SwitchRow({ setting, label, hint }: Props) {
  const isOn = useSettings((state) => state.settings[setting]);
  return (
    <SettingRow label={label} {...(hint !== undefined && { hint })}>
      <Switch
        aria-label={label}
        checked={isOn}
        onChange={(event) => void updateSettings({ [setting]: event.currentTarget.checked })}
      />
    </SettingRow>
  );
}
