import { Button, Textarea } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { QueuedMessage } from '../../../../shared/model/chat.ts';
import { chatStore } from '../../../state/chat/chat-store.ts';
import { useBusy } from '../../../ui/hooks/use-busy.ts';
import { editQueued } from '../../chat-actions.ts';
import { isSendKey } from '../send-key.ts';
import { useLengthProblem } from '../use-length-problem.ts';
import classes from './queued-list.module.css';

interface QueuedEditorProps {
  message: QueuedMessage;
  onClose: () => void;
}

/** The text of a waiting message in place. Enter saves, Escape cancels. */
export function QueuedEditor({ message, onClose }: QueuedEditorProps) {
  const { t } = useTranslation('chat');
  const [text, setText] = useState(message.text);
  const lengthProblem = useLengthProblem(text);
  const [isBusy, run] = useBusy();
  const unsaved = useRef<string | null>(null);
  useEffect(() => {
    unsaved.current = text === message.text ? null : text;
  }, [text, message.text]);
  useEffect(
    () => () => {
      // The message was sent while it was edited: what was written must not be lost.
      const rest = unsaved.current;
      if (rest === null) return;
      chatStore.setState(({ draft }) => ({ draft: draft === '' ? rest : `${draft}\n${rest}` }));
    },
    [],
  );
  const close = () => {
    unsaved.current = null;
    onClose();
  };
  const save = () => {
    const next = text.trim();
    if (next === '' || next === message.text) close();
    else if (lengthProblem === null) run(async () => void ((await editQueued(message.id, next)) && close()));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      close();
    } else if (isSendKey(event)) {
      event.preventDefault();
      save();
    }
  };
  return (
    <li className={classes.editor}>
      <Textarea
        autosize
        minRows={1}
        maxRows={6}
        ref={focusAtEnd}
        value={text}
        error={lengthProblem}
        errorProps={{ role: 'alert' }}
        aria-label={t('queue.field')}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className={classes.actions}>
        <Button size="compact-xs" disabled={lengthProblem !== null} loading={isBusy} onClick={save}>
          {t('queue.save')}
        </Button>
        <Button size="compact-xs" variant="default" onClick={close}>
          {t('queue.cancel')}
        </Button>
      </div>
    </li>
  );
}

/** Focuses a field that appears, with the cursor at the end. */
function focusAtEnd(field: HTMLTextAreaElement | null): void {
  if (!field || field.dataset.focused) return;
  field.dataset.focused = 'true';
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}
