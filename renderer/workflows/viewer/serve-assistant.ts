import type { ViewerRequest, ViewerResult } from '../../../shared/model/viewer.ts';
import { MAX_VIEWER_MESSAGE, toParamsSchema, viewerAction } from '../../../shared/model/viewer.ts';
import { api, onConnection } from '../../api.ts';
import { chatStore } from '../../state/chat/chat-store.ts';
import { isWorking } from '../../state/chat/is-working.ts';
import { onTextChanged } from '../../state/documents/editor-store.ts';
import { isCodeFocused } from '../../state/monaco/shown-code.ts';
import { viewerStore } from '../../state/viewer-store.ts';
import { PAGE } from './page-id.ts';
import { VIEWER_ACTIONS } from './viewer-actions.ts';
import { createWindowHold } from './window-hold.ts';

/** How long the sign that the assistant moves the window stays after its last action. */
const SIGN_TIME_MS = 4000;
/** The window does not move under the hands of a user who typed so recently. */
const TYPING_TIME_MS = 3000;

let typedAt = Number.NEGATIVE_INFINITY;
let signTimer: ReturnType<typeof setTimeout> | undefined;

async function perform({ action, params }: ViewerRequest): Promise<ViewerResult> {
  const parsed = toParamsSchema(action).safeParse(params);
  if (!parsed.success) return { success: false, message: 'The params do not fit the action.' };
  if (viewerAction(action).effect === 'changes') {
    const refusal = toRefusal();
    if (refusal !== null) return { success: false, message: refusal };
    clearTimeout(signTimer);
    viewerStore.setState({ isDriving: true });
    signTimer = setTimeout(() => viewerStore.setState({ isDriving: false }), SIGN_TIME_MS);
  }
  const run = VIEWER_ACTIONS[action] as (given: typeof parsed.data) => ViewerResult | Promise<ViewerResult>;
  return run(parsed.data);
}

function toRefusal(): string | null {
  if (viewerStore.getState().isHeld) return 'The user has taken over the window. Look only, until the next message.';
  const isTyping = isCodeFocused() && performance.now() - typedAt < TYPING_TIME_MS;
  return isTyping ? 'The user is writing in the editor. Say what you would show instead.' : null;
}

async function respond(request: ViewerRequest): Promise<void> {
  if (request.page !== PAGE) return;
  const result = await perform(request).catch(
    (): ViewerResult => ({ success: false, message: 'The window could not do that.' }),
  );
  // A longer one would be refused, and the assistant would hear nothing.
  const message = result.message?.slice(0, MAX_VIEWER_MESSAGE);
  const answer = message === undefined ? result : { ...result, message };
  await api.call('viewer.answer', { request: request.request, page: PAGE, result: answer });
}

function connectHold(): void {
  const hold = createWindowHold(() => viewerStore.setState({ isHeld: false }));
  const setWorking = ({ chat }: ReturnType<typeof chatStore.getState>) =>
    hold.setWorking(isWorking(chat?.phase ?? 'idle'));
  setWorking(chatStore.getState());
  chatStore.subscribe(setWorking);
  viewerStore.subscribe(({ isHeld }) => hold.setHeld(isHeld));
}

/** Carries out the actions of the assistant in this page, if it is the one focused last; call once. */
export function connectViewer(): void {
  // Without a game, or while the app is away, there is nothing to register with.
  const attach = () => void api.call('viewer.attach', { page: PAGE }).catch(() => undefined);
  api.on('viewer.requested', (request) => void respond(request).catch(() => undefined));
  api.on('project.changed', ({ project }) => project && attach());
  onConnection((isBack) => isBack && attach());
  window.addEventListener('focus', attach);
  window.addEventListener('pagehide', () => void api.call('viewer.detach', { page: PAGE }).catch(() => undefined));
  window.addEventListener('pageshow', attach);
  onTextChanged(() => {
    typedAt = performance.now();
  });
  connectHold();
  attach();
}
