import { ActionIcon, Tooltip } from '@mantine/core';
import { IconLayoutColumns } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { compareOnStage, useStageBeside } from '../../state/stage/stage-beside.ts';

/** Shows the saved text and the proposal side by side, or only one of them again. */
export function CompareButton({ isDisabled }: { isDisabled: boolean }) {
  const { t } = useTranslation('stage');
  const isOn = useStageBeside() !== null;
  const label = t(isOn ? 'beside.end' : 'beside.begin');
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={isOn ? 'light' : 'default'}
        aria-label={label}
        aria-pressed={isOn}
        disabled={isDisabled}
        onClick={() => compareOnStage(!isOn)}
      >
        <IconLayoutColumns size={17} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  );
}
