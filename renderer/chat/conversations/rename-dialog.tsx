import { Button, Modal, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBusy } from '../../ui/hooks/use-busy.ts';
import { renameSession } from './conversation-actions.ts';

interface RenameDialogProps {
  session: string;
  title: string;
  onClose: () => void;
}

/** Asks for the title of a conversation. */
export function RenameDialog({ session, title, onClose }: RenameDialogProps) {
  const { t } = useTranslation('chat');
  const [name, setName] = useState(title);
  const [isBusy, run] = useBusy();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return;
    run(async () => {
      if (await renameSession(session, name)) onClose();
    });
  };
  return (
    <Modal opened onClose={onClose} title={t('sessions.renameTitle')} size="sm" centered>
      <form onSubmit={submit}>
        <TextInput
          data-autofocus
          label={t('sessions.name')}
          value={name}
          maxLength={40}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" mt={12} disabled={name.trim() === ''} loading={isBusy}>
          {t('sessions.save')}
        </Button>
      </form>
    </Modal>
  );
}
