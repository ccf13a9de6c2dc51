import { ActionIcon, Button, Popover } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './conversations.module.css';

interface EraseButtonProps {
  label: string;
  /** Accessible name; with it the button is an icon. */
  name?: string;
  question: string;
  tabIndex?: 0 | -1 | undefined;
  onErase: () => void;
}

/** Escape on these controls closes the question, not the dialog that asks it. */
const IN_QUESTION = { 'data-mantine-stop-propagation': true };

/** Deletes for good. It asks first: there is no way back. */
export function EraseButton({ label, name, question, tabIndex, onErase }: EraseButtonProps) {
  const { t } = useTranslation('chat');
  const [isOpen, setOpen] = useState(false);
  const ask = () => setOpen(true);
  const close = () => setOpen(false);
  return (
    <Popover opened={isOpen} onDismiss={close} trapFocus returnFocus withinPortal width={280} position="bottom-end">
      <Popover.Target>
        {name === undefined ? (
          <Button size="compact-xs" variant="default" leftSection={<IconTrash size={14} aria-hidden />} onClick={ask}>
            {label}
          </Button>
        ) : (
          <ActionIcon aria-label={name} title={label} tabIndex={tabIndex} onClick={ask}>
            <IconTrash size={15} />
          </ActionIcon>
        )}
      </Popover.Target>
      <Popover.Dropdown>
        <p className={classes.question}>{question}</p>
        <div className={classes.answers}>
          <Button
            size="xs"
            color="var(--error)"
            {...IN_QUESTION}
            onClick={() => {
              close();
              onErase();
            }}
          >
            {t('sessions.trash.erase')}
          </Button>
          <Button size="xs" variant="default" data-autofocus {...IN_QUESTION} onClick={close}>
            {t('common:cancel')}
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
