import { ActionIcon, Popover, SegmentedControl, Textarea, Tooltip, VisuallyHidden } from '@mantine/core';
import { IconArrowUp, IconPlayerStopFilled } from '@tabler/icons-react';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import type { ChatMode, ChatPhase } from '../../../shared/model/chat.ts';
import { MAX_MESSAGE_CHARACTERS } from '../../../shared/model/message/message-text.ts';
import { removeLastAttachment } from '../../state/chat/attachment-store.ts';
import { chatStore, useChat } from '../../state/chat/chat-store.ts';
import { isWorking } from '../../state/chat/is-working.ts';
import { notify } from '../../state/notify.ts';
import { useBusy } from '../../ui/hooks/use-busy.ts';
import { addPictures } from '../../workflows/add-pictures.ts';
import { sendDraft } from '../../workflows/send-message.ts';
import { AttachmentChips } from '../attachments/attachment-chips.tsx';
import { useIsBlocked } from '../attachments/attachment-problem.ts';
import { MentionOptions, toOptionId } from '../attachments/mention-options.tsx';
import { useAttachmentDrop } from '../attachments/use-attachment-drop.ts';
import { useMentionList } from '../attachments/use-mention-list.ts';
import { stopAssistant } from '../chat-actions.ts';
import { ContextMeter } from '../usage/context-meter.tsx';
import classes from './composer.module.css';
import { ContextChip } from './context-chip.tsx';
import { ModelMenu } from './model-menu.tsx';
import { QueuedList } from './queue/queued-list.tsx';
import { isSendKey } from './send-key.ts';
import { useLengthProblem } from './use-length-problem.ts';

interface ComposerProps {
  /** False while no model is available. */
  isOn: boolean;
}

/** The field takes seconds to measure longer texts; they stay in the clipboard. */
const MOST_PASTED = 10 * MAX_MESSAGE_CHARACTERS;

const PLACEHOLDERS: Record<ChatPhase, string> = {
  idle: 'composer.placeholder',
  model: 'composer.placeholderRunning',
  summary: 'composer.placeholderRunning',
  tool: 'composer.placeholderRunning',
  consent: 'composer.placeholderConsent',
  answer: 'composer.placeholderAnswer',
  review: 'composer.placeholderReview',
};

/** Input for messages to the assistant. */
export const Composer = memo(function Composer({ isOn }: ComposerProps) {
  const { t } = useTranslation('chat');
  const draft = useChat((state) => state.draft);
  const mode = useChat((state) => state.mode);
  const phase = useChat((state) => state.chat?.phase ?? 'idle');
  const isForeign = useChat((state) => state.chat?.isForeign ?? false);
  const isPractice = useChat((state) => state.chat?.practice ?? false);
  const focusRequests = useChat((state) => state.focusRequests);
  const [withContext, setWithContext] = useState(true);
  const [isSending, run] = useBusy();
  const field = useRef<HTMLTextAreaElement>(null);
  const isRunning = isWorking(phase);

  useEffect(() => {
    if (focusRequests === 0) return;
    const element = field.current;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
  }, [focusRequests]);

  const isBlocked = useIsBlocked();
  const lengthProblem = useLengthProblem(draft);
  const canSend = isOn && !isBlocked && lengthProblem === null && draft.trim() !== '';
  const send = (now = false) => {
    if (canSend) run(() => sendDraft({ withContext, now }));
  };
  const latestSend = useRef(send);
  useEffect(() => {
    latestSend.current = send;
  });
  const onSend = useCallback((now: boolean) => latestSend.current(now), []);
  const placeholder = !isOn
    ? isForeign
      ? 'composer.placeholderForeign'
      : 'composer.placeholderOff'
    : phase === 'idle' && mode === 'plan'
      ? 'composer.placeholderPlan'
      : PLACEHOLDERS[phase];
  const drop = useAttachmentDrop(isOn);
  const focusField = useCallback(() => field.current?.focus(), []);
  return (
    <div
      className={classes.root}
      data-off={!isOn || undefined}
      data-drop={drop.isOver || undefined}
      data-takes="image"
      {...drop.handlers}
    >
      <QueuedList />
      <AttachmentChips onEmpty={focusField} />
      <DraftField
        field={field}
        isOn={isOn}
        draft={draft}
        problem={lengthProblem}
        placeholder={t(placeholder)}
        hint={t(isRunning ? 'queue.hint' : 'composer.sendHint')}
        onSend={onSend}
      />
      {isOn && phase !== 'answer' && <ContextChip isIncluded={withContext} onChange={setWithContext} />}
      <div className={classes.foot}>
        <ModeSwitch isOn={isOn} mode={mode} />
        {isOn && !isPractice && <ModelMenu />}
        <ContextMeter isIdle={isOn && !isRunning} />
        <SendButton isRunning={isRunning} isSending={isSending} canSend={canSend} onSend={() => send()} />
      </div>
    </div>
  );
});

interface SendButtonProps {
  isRunning: boolean;
  isSending: boolean;
  canSend: boolean;
  onSend: () => void;
}

/** Sends the message; stops the assistant while it works. */
function SendButton({ isRunning, isSending, canSend, onSend }: SendButtonProps) {
  const { t } = useTranslation('chat');
  return isRunning ? (
    <Tooltip label={t('composer.stop')}>
      <ActionIcon
        className={classes.send}
        variant="filled"
        color="dark"
        size={30}
        aria-label={t('composer.stop')}
        onClick={() => void stopAssistant()}
      >
        <IconPlayerStopFilled size={14} />
      </ActionIcon>
    </Tooltip>
  ) : (
    <Tooltip label={t('composer.sendHint')}>
      <ActionIcon
        className={classes.send}
        variant="filled"
        color="iris"
        size={30}
        disabled={!canSend}
        loading={isSending}
        aria-label={t('composer.send')}
        onClick={onSend}
      >
        <IconArrowUp size={17} />
      </ActionIcon>
    </Tooltip>
  );
}

function ModeSwitch({ isOn, mode }: { isOn: boolean; mode: ChatMode }) {
  const { t } = useTranslation('chat');
  /** True from a choice until the pointer leaves: the hint would cover the text that is typed next. */
  const [hidesHint, setHidesHint] = useState(false);
  return (
    <Tooltip
      label={t(`composer.${mode}Hint`)}
      disabled={hidesHint}
      multiline
      maw={260}
      position="top-start"
      openDelay={600}
    >
      <SegmentedControl
        className={classes.mode ?? ''}
        size="xs"
        aria-label={t('composer.mode')}
        value={mode}
        disabled={!isOn}
        data={[
          { value: 'plan', label: t('composer.plan') },
          { value: 'act', label: t('composer.act') },
        ]}
        onMouseLeave={() => setHidesHint(false)}
        onChange={(value) => {
          setHidesHint(true);
          chatStore.setState({ mode: value as ChatMode });
        }}
      />
    </Tooltip>
  );
}

interface DraftFieldProps {
  field: RefObject<HTMLTextAreaElement | null>;
  isOn: boolean;
  draft: string;
  /** Why the text cannot be sent. */
  problem: string | null;
  placeholder: string;
  /** What the keys do. */
  hint: string;
  /** `now`: in the running turn. */
  onSend: (now: boolean) => void;
}

/** Memoized because the field measures itself on each render; it must render only when its text changes. */
const DraftField = memo(function DraftField(props: DraftFieldProps) {
  const { field, isOn, draft, problem, placeholder, hint, onSend } = props;
  const { t } = useTranslation('chat');
  const mentions = useMentionList(field);
  const isListOpen = mentions.candidates.length > 0;
  const onKeyDown = (event: KeyboardEvent) => {
    if (mentions.takeKey(event)) return;
    if (event.key === 'Backspace' && isAtStart(field.current) && removeLastAttachment()) event.preventDefault();
    if (!isSendKey(event)) return;
    event.preventDefault();
    onSend(event.ctrlKey || event.metaKey);
  };
  const onPaste = (event: ClipboardEvent) => {
    if (draft.length + event.clipboardData.getData('text/plain').length > MOST_PASTED) {
      event.preventDefault();
      notify({ level: 'warning', text: t('composer.pasteTooLong') });
      return;
    }
    const pictures = [...event.clipboardData.files].filter(({ type }) => type.startsWith('image/'));
    if (pictures.length === 0) return;
    event.preventDefault();
    void addPictures(pictures);
  };
  return (
    <Popover opened={isListOpen} position="top-start" width="target" offset={10} withRoles={false} returnFocus={false}>
      <Popover.Target>
        <Textarea
          ref={field}
          variant="unstyled"
          classNames={{ input: classes.input ?? '', error: classes.problem ?? '' }}
          autosize
          minRows={2}
          maxRows={9}
          value={draft}
          disabled={!isOn}
          error={problem}
          withErrorStyles={false}
          errorProps={{ role: 'alert' }}
          aria-label={t('composer.label')}
          aria-description={hint}
          aria-autocomplete="list"
          aria-controls={isListOpen ? mentions.id : undefined}
          aria-activedescendant={isListOpen ? toOptionId(mentions, mentions.active) : undefined}
          placeholder={placeholder}
          onChange={(event) => chatStore.setState({ draft: event.currentTarget.value })}
          onKeyDown={onKeyDown}
          onSelect={mentions.follow}
          onBlur={mentions.close}
          onCompositionStart={mentions.startComposing}
          onCompositionEnd={mentions.endComposing}
          onPaste={onPaste}
        />
      </Popover.Target>
      <Popover.Dropdown p={4}>
        <MentionOptions list={mentions} />
        <VisuallyHidden role="status">
          {t('composer.attach.found', { count: mentions.candidates.length })}
        </VisuallyHidden>
      </Popover.Dropdown>
    </Popover>
  );
});

function isAtStart(element: HTMLTextAreaElement | null): boolean {
  return element !== null && element.selectionStart === 0 && element.selectionEnd === 0;
}
