import { isRefusal } from '../../../../../shared/errors.ts';
import { quoteForPrompt } from '../../prompt/prompt-text.ts';
import type { LogEvent, LogEventOf } from '../../session/log-events.ts';
import type { TurnCancellation, TurnPorts } from '../turn-ports.ts';
import { runCall } from './run-call.ts';

interface ChosenVersion {
  /** The id of the call that puts it in place. */
  call: string;
  title: string;
  text: string;
  offer: NonNullable<LogEventOf<'question'>['versions']>;
}

/**
 * Drafts the version that the user chose, and returns what the model is told about it; null when nothing is to be put in place. After
 * a stop or a crash in between, the next turn that may write does it.
 */
export async function placeVersion(ports: TurnPorts, cancellation: TurnCancellation): Promise<string | null> {
  const chosen = ports.mode === 'act' ? findChosen(ports.log.counted) : null;
  if (!chosen) return null;
  const { call, title, text, offer } = chosen;
  const { path, from, to, version } = offer;
  const isNew = to < from;
  const { outcome } = await runCall(
    ports,
    {
      id: call,
      name: isNew ? 'insert_at_line' : 'replace_lines',
      input: { path, content: text, version, ...(isNew ? { line: to } : { from, to }) },
    },
    { step: ports.clock.id(), isCutOff: false, cancellation },
  );
  const what = quoteForPrompt({ version: title, path });
  if (outcome.ok) {
    return `The chosen version ${what} is in place as your draft, word for word: do not write it again. If the user's answer asks for more, change the draft; else carry on with what is still open, or finish. What the app found: ${quoteForPrompt(outcome.value)}`;
  }
  const failed = `The chosen version ${what} could NOT be put in place: ${quoteForPrompt(outcome.error)}. Nothing was drafted.`;
  if (isRefusal(outcome.error)) {
    return `${failed} Do not write it in another way: tell the user why it is not there.`;
  }
  return `${failed} Read the place again and put this text there yourself:\n${text}`;
}

/** Returns the version that the newest answer chose, unless it was put in place or refused. A stopped call did neither. */
function findChosen(events: readonly LogEvent[]): ChosenVersion | null {
  const ended = new Set<string>();
  for (let at = events.length - 1; at >= 0; at -= 1) {
    const event = events[at];
    if (event?.t === 'tool.result' && event.error?.code !== 'E_TIMEOUT') ended.add(event.call);
    if (event?.t !== 'user' || event.kind !== 'answer') continue;
    const call = `chosen-${event.id}`;
    const [title] = event.picked?.options ?? [];
    if (title === undefined || ended.has(call)) return null;
    const offer = events.findLast((one) => one.t === 'question' && one.id === event.question);
    if (offer?.t !== 'question' || !offer.versions) return null;
    const text = offer.versions.texts[offer.options?.indexOf(title) ?? -1];
    return text === undefined ? null : { call, title, text, offer: offer.versions };
  }
  return null;
}
