import { Button, Textarea } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { reviewStore, useReview } from '../state/review/review-store.ts';
import { rejectProposal } from '../workflows/accept-proposal.ts';
import classes from './send-back-form.module.css';

/** Feedback form: with feedback, the assistant starts again; without, the proposal is rejected. */
export function SendBackForm() {
  const { t } = useTranslation('review');
  const [text, setText] = useState('');
  const isBusy = useReview((state) => state.busy === 'reject');
  const hasText = text.trim() !== '';
  const cancel = () => reviewStore.setState({ isSendingBack: false });
  const send = () => void rejectProposal(text);
  const onKeyDown = (event: KeyboardEvent) => {
    const isComposing = event.nativeEvent.isComposing || event.keyCode === 229;
    if (isComposing) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      cancel();
    } else if (event.key === 'Enter' && !event.shiftKey && hasText) {
      event.preventDefault();
      send();
    }
  };
  return (
    <form
      className={classes.root}
      onKeyDown={(event) => event.key === 'Escape' && onKeyDown(event)}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Textarea
        label={t('foot.backLabel')}
        labelProps={{ mb: 5 }}
        placeholder={t('foot.backPlaceholder')}
        autosize
        minRows={2}
        maxRows={5}
        maxLength={20_000}
        value={text}
        disabled={isBusy}
        ref={(element) => focusOnce(element)}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className={classes.actions}>
        <Button type="submit" variant={hasText ? 'filled' : 'default'} loading={isBusy}>
          {t(hasText ? 'foot.backSend' : 'foot.backOnly')}
        </Button>
        <Button variant="default" disabled={isBusy} onClick={cancel}>
          {t('foot.backCancel')}
        </Button>
      </div>
    </form>
  );
}

const focused = new WeakSet<HTMLElement>();

/** Focuses the field when it first mounts, because a click opened it. */
function focusOnce(element: HTMLTextAreaElement | null): void {
  if (!element || focused.has(element)) return;
  focused.add(element);
  element.focus();
}
