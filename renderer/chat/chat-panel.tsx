import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useChat } from '../state/chat/chat-store.ts';
import { useSettings } from '../state/settings-store.ts';
import { PaneHeader } from '../ui/pane-header.tsx';
import { toReadiness } from './assistant-readiness.ts';
import { ForeignBanner } from './cards/foreign-banner.tsx';
import { NoAssistantCard } from './cards/no-assistant-card.tsx';
import { PracticeBanner } from './cards/practice-banner.tsx';
import { ToolListNote } from './cards/tool-list-note.tsx';
import classes from './chat-panel.module.css';
import { Composer } from './composer/composer.tsx';
import { SessionsMenu } from './composer/sessions-menu.tsx';
import { MessageList } from './rows/list/message-list.tsx';
import { StatusAnnouncer } from './status-announcer.tsx';
import { TodoCard } from './todo/todo-card.tsx';

/** The chat panel: conversation, status and composer. */
export function ChatPanel() {
  const { t } = useTranslation('chat');
  const isLoaded = useChat((state) => state.loaded);
  const settings = useSettings((state) => state.settings);
  const providers = useSettings((state) => state.providers);
  const keys = useSettings((state) => state.keys);
  const areSettingsKnown = useSettings((state) => state.isKnown);
  const { isReady, name } = toReadiness(settings, providers, keys);
  const isPractice = useChat((state) => state.chat?.practice ?? false);
  const isForeign = useChat((state) => state.chat?.isForeign ?? false);
  const isOn = (isReady || isPractice) && !isForeign;
  return (
    <div className={classes.root}>
      <PaneHeader title={t('title')} note={isPractice ? t('practice.name') : (name ?? undefined)}>
        <SessionsMenu />
      </PaneHeader>
      {isForeign && <ForeignBanner />}
      {isLoaded ? <Conversation isOn={isOn} /> : <LoadingRows />}
      {areSettingsKnown && !isOn && !isForeign && <NoAssistantCard />}
      <TodoCard />
      {isOn && <ToolListNote />}
      <Composer isOn={isOn} />
    </div>
  );
}

/** The subtree that renders on each streamed chunk; kept separate so that the rest of the panel does not. */
function Conversation({ isOn }: { isOn: boolean }) {
  const chat = useChat((state) => state.chat);
  return (
    <>
      {chat?.practice && <PracticeBanner chat={chat} />}
      <MessageList chat={chat} isOn={isOn} />
      <StatusAnnouncer chat={chat} />
    </>
  );
}

function LoadingRows() {
  return (
    <div className={classes.loading} aria-hidden>
      <Skeleton height={34} width="62%" radius="lg" ml="auto" />
      <Skeleton height={12} width="88%" />
      <Skeleton height={12} width="74%" />
    </div>
  );
}
