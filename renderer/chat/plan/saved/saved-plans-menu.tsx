import { ActionIcon, Tooltip } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SavedPlansDialog } from './saved-plans-dialog.tsx';
import { useSavedPlans } from './use-saved-plans.ts';

/** The button for the saved plans, where there are any. */
export function SavedPlansMenu() {
  const { t } = useTranslation('chat');
  const [isOpen, setOpen] = useState(false);
  const list = useSavedPlans();
  if (!isOpen && (!list || list.plans.length + list.leftOut === 0)) return null;
  return (
    <>
      <Tooltip label={t('savedPlans.menu')}>
        <ActionIcon aria-label={t('savedPlans.menu')} aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <IconListDetails size={17} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      {isOpen && <SavedPlansDialog list={list} onClose={() => setOpen(false)} />}
    </>
  );
}
