import type { Picture } from '../../../../shared/model/message/picture.ts';
import type { ModelMessage } from '../../ports/models.ts';
import type { LogEvent, LogEventOf, LoggedMention } from '../session/log-events.ts';
import { toFact } from './facts/to-fact.ts';
import { escapeBlocks, quoteForPrompt } from './prompt-text.ts';

const LEADS: Record<LogEventOf<'user'>['kind'], string> = {
  message: '',
  run: 'The user accepted this plan. The app gives you its steps one by one:\n',
  step: 'Carry out this one step of the plan now, and nothing of the others. Then call attempt_completion with one sentence on what you drafted, or on why there was nothing to do:\n',
  answer: "The user's answer to your question:\n",
  feedback: "The user's feedback on the rejected proposal (it is about changes that were NOT made):\n",
  continue:
    'The user lets you go on. Carry on from where you stopped; what is finished stays as it is. If nothing was done yet, begin with the last request.',
  notice: 'This comes from the app, not from the user. ',
  problems:
    'This comes from the app, not from the user. Your drafts would bring in these problems. Fix them once, then finish; name what you cannot fix:\n',
};

const STEER_LEAD = 'The user sends this while you work. Take it into account, then carry on with what is still open:\n';

/** Stands for a picture that the model does not receive. */
export const PICTURE_LEFT_OUT = '[picture left out]';

/** A picture in a message of the projection; its bytes are read when a request is made. */
export interface PicturePart extends Pick<Picture, 'id'> {
  type: 'picture';
  mediaType: string;
  /** The model refused it. */
  isRefused?: boolean;
}

function toMentionBlock({ of, facts, content, isRepeated }: LoggedMention, isBrief: boolean): string {
  const note = isRepeated
    ? 'Unchanged since an earlier message of this conversation, which holds it.'
    : isBrief && content !== ''
      ? 'Not shown any more: read it again if you need it.'
      : escapeBlocks(content);
  return `<mention>${quoteForPrompt({ ...facts, kind: of.kind })}${note === '' ? '' : `\n${note}`}</mention>`;
}

/**
 * Returns a user message for the model: events since the last one, cursor position, mentions, mode and text, then pictures.
 * `isBrief`: without the contents of mentions and pictures, for a message that a summary replaced. Pure.
 */
export function toUserMessage(
  event: LogEventOf<'user'>,
  since: readonly LogEvent[],
  { isBrief = false }: { isBrief?: boolean } = {},
): ModelMessage {
  const facts = since.map(toFact).filter((fact) => fact !== null);
  const blocks: string[] = [];
  if (facts.length > 0) blocks.push(`<facts>\n${facts.join('\n')}\n</facts>`);
  if (event.context) {
    const { path, line, selection, ...view } = event.context;
    const place = path === undefined ? {} : { scene: path, line, ...(selection && { selection }) };
    blocks.push(`<editor>${quoteForPrompt({ ...place, ...view })}</editor>`);
  }
  for (const mention of event.mentions ?? []) blocks.push(toMentionBlock(mention, isBrief));
  const pictures = event.pictures ?? [];
  if (isBrief) blocks.push(...pictures.map(() => PICTURE_LEFT_OUT));
  const lead = event.steer ? STEER_LEAD : LEADS[event.kind];
  blocks.push(`<message mode="${event.mode}" kind="${event.kind}">\n${lead}${escapeBlocks(event.text)}\n</message>`);
  const text = blocks.join('\n');
  if (isBrief || pictures.length === 0) return { role: 'user', content: text };
  const parts = pictures.map(({ id, type }): PicturePart => ({ type: 'picture', id, mediaType: type }));
  return { role: 'user', content: [{ type: 'text', text }, ...parts] };
}
