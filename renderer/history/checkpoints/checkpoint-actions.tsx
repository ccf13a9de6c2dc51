import { ActionIcon, Button, Popover, TextInput } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Checkpoint } from '../../../shared/model/checkpoint.ts';
import { removeState, renameState } from '../../workflows/restore/restore-checkpoint.ts';
import classes from './checkpoints.module.css';

/** Renames or removes the selected checkpoint; removing asks first. */
export function CheckpointActions({ checkpoint }: { checkpoint: Checkpoint }) {
  const { t } = useTranslation('history');
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null);
  const [name, setName] = useState('');
  const close = () => setOpen(null);
  return (
    <>
      <Popover opened={open === 'rename'} onDismiss={close} trapFocus withinPortal>
        <Popover.Target>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t('states.rename')}
            title={t('states.rename')}
            onClick={() => {
              setName(checkpoint.name);
              setOpen('rename');
            }}
          >
            <IconPencil size={15} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown>
          <form
            className={classes.keep}
            onSubmit={(event) => {
              event.preventDefault();
              close();
              if (name.trim() !== '') void renameState(checkpoint.id, name);
            }}
          >
            <TextInput
              aria-label={t('states.name')}
              maxLength={200}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit">{t('common:save')}</Button>
          </form>
        </Popover.Dropdown>
      </Popover>
      <Popover opened={open === 'remove'} onDismiss={close} trapFocus withinPortal width={280}>
        <Popover.Target>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t('states.remove')}
            title={t('states.remove')}
            onClick={() => setOpen('remove')}
          >
            <IconTrash size={15} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown>
          <p className={classes.question}>{t('states.removeQuestion')}</p>
          <div className={classes.keep}>
            <Button
              color="var(--error)"
              onClick={() => {
                close();
                void removeState(checkpoint.id);
              }}
            >
              {t('states.remove')}
            </Button>
            <Button variant="default" onClick={close}>
              {t('common:cancel')}
            </Button>
          </div>
        </Popover.Dropdown>
      </Popover>
    </>
  );
}
