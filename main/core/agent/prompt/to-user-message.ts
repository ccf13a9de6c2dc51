import type { ModelMessage } from '../../ports/models.ts';
import { isRewind, type RewindEvent } from '../session/counted-events.ts';
import type { LogEvent, LogEventOf } from '../session/log-events.ts';
import { escapeBlocks, quoteForPrompt } from './prompt-text.ts';

/** `next`: the event after it, which names what still waits after a part was accepted. */
function toFact(event: LogEvent, next: LogEvent | undefined): string | null {
  if (event.t === 'turn.end') {
    if (event.reason === 'stopped') return 'The user stopped you before you had finished.';
    if (event.reason === 'interrupted') {
      return 'The app was closed while you were working. Calls without a result were not carried out; read files again before you rely on them.';
    }
    return null;
  }
  if (isRewind(event)) return toRewindFact(event);
  if (event.t !== 'decision') return null;
  if (event.outcome === 'accepted') {
    const rest = next?.t === 'proposal.open' ? next.files.map(({ path }) => path) : [];
    const others =
      rest.length === 0
        ? 'Nothing else of the proposal is open.'
        : `Not on disk, still waiting for the user as your drafts: ${quoteForPrompt(rest)}.`;
    return `The user accepted. Now on disk: ${quoteForPrompt(event.paths ?? [])}. ${others} Read a file again before you change it.`;
  }
  if (event.outcome === 'rejected') {
    return 'The user REJECTED your proposal. NO file was modified; your drafts are gone and every file is as it was.';
  }
  if (event.outcome === 'replaced') {
    return 'Your proposal is still open and nothing of it is on disk. Your tools see the drafts; further edits continue them.';
  }
  return null;
}

function toRewindFact({ accepted }: RewindEvent): string {
  const files =
    accepted.length === 0
      ? ''
      : ` Changes to these files were accepted in that part and stay on disk: ${quoteForPrompt(accepted)}.`;
  return `The user went back to this point. What came after it is set aside and not shown to you.${files} Files may differ from what you remember: read a file again before you change it.`;
}

const LEADS: Record<LogEventOf<'user'>['kind'], string> = {
  message: '',
  run: 'The user accepted this plan. Carry it out now, step by step:\n',
  answer: "The user's answer to your question:\n",
  feedback: "The user's feedback on the rejected proposal (it is about changes that were NOT made):\n",
  continue:
    'The user lets you go on. Carry on from where you stopped; what is finished stays as it is. If nothing was done yet, begin with the last request.',
  notice: 'This comes from the app, not from the user. ',
  problems:
    'This comes from the app, not from the user. Your drafts would bring in these problems. Fix them once, then finish; name what you cannot fix:\n',
};

const STEER_LEAD = 'The user sends this while you work. Take it into account, then carry on with what is still open:\n';

/** Returns a user message for the model: events since the last one, cursor position, mode and text. Pure. */
export function toUserMessage(event: LogEventOf<'user'>, since: readonly LogEvent[]): ModelMessage {
  const facts = since.map((fact, index) => toFact(fact, since[index + 1])).filter((fact) => fact !== null);
  const blocks: string[] = [];
  if (facts.length > 0) blocks.push(`<facts>\n${facts.join('\n')}\n</facts>`);
  if (event.context) {
    const { path, line, selection } = event.context;
    blocks.push(`<editor>${quoteForPrompt({ scene: path, line, ...(selection && { selection }) })}</editor>`);
  }
  const lead = event.steer ? STEER_LEAD : LEADS[event.kind];
  blocks.push(`<message mode="${event.mode}" kind="${event.kind}">\n${lead}${escapeBlocks(event.text)}\n</message>`);
  return { role: 'user', content: blocks.join('\n') };
}
