import { Button, Textarea } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBusy } from '../../../ui/hooks/use-busy.ts';
import { resendMessage } from '../../../workflows/send-message.ts';
import classes from '../../chat-rows.module.css';
import type { ItemOf } from '../../chat-rows.ts';
import { useLengthProblem } from '../../composer/use-length-problem.ts';

interface ResendEditorProps {
  item: ItemOf<'user'>;
  /** False while the assistant works. */
  canSend: boolean;
  onClose: () => void;
}

/** An earlier message in place, to be sent with other words. Escape cancels. */
export function ResendEditor({ item, canSend, onClose }: ResendEditorProps) {
  const { t } = useTranslation('chat');
  const [text, setText] = useState(item.text);
  const lengthProblem = useLengthProblem(text);
  const [isBusy, run] = useBusy();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  }, []);
  const send = () => run(async () => void ((await resendMessage(item, text.trim())) && onClose()));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onClose();
  };
  return (
    <div>
      <Textarea
        ref={field}
        autosize
        minRows={2}
        maxRows={9}
        value={text}
        error={lengthProblem}
        errorProps={{ role: 'alert' }}
        aria-label={t('resend.field')}
        description={t('resend.hint')}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className={classes.actions}>
        <Button disabled={!canSend || lengthProblem !== null || text.trim() === ''} loading={isBusy} onClick={send}>
          {t('resend.send')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('resend.cancel')}
        </Button>
      </div>
    </div>
  );
}
