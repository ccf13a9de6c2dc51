import { ActionIcon, Modal, Tooltip } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Message } from '../ui/message.tsx';
import classes from './audit-log-view.module.css';

const AuditLogView = lazy(async () => ({ default: (await import('./audit-log-view.tsx')).AuditLogView }));

/** A button that shows the audit log where no game is open, in a window of its own. */
export function AppAuditLog() {
  const { t } = useTranslation('shell');
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Tooltip label={t('view.audit-log')}>
        <ActionIcon aria-label={t('view.audit-log')} aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <IconListDetails size={18} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      {/* In parts: the name belongs to the dialog, and the root that is there while it is closed has none. */}
      <Modal.Root opened={isOpen} onClose={close} size={900} padding={0}>
        <Modal.Overlay />
        <Modal.Content aria-label={t('view.audit-log')}>
          <Modal.Body className={classes.window ?? ''}>
            <Suspense fallback={<Message text={t('common:loading')} />}>
              <AuditLogView onClose={close} />
            </Suspense>
          </Modal.Body>
        </Modal.Content>
      </Modal.Root>
    </>
  );
}
