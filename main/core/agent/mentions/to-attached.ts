import { AppError } from '../../../../shared/errors.ts';
import type { Mention } from '../../../../shared/model/message/mention.ts';
import { toModelReason } from '../../../../shared/model/model-problem.ts';
import type { Model } from '../../ports/models.ts';
import type { Pictures } from '../../ports/stores/pictures.ts';
import type { LogEvent, LogEventOf } from '../session/log-events.ts';
import type { MentionSource } from './mention-source.ts';
import { resolveMentions } from './resolve-mentions.ts';

/** What a message brings besides its text, as logged. */
export type Attached = Pick<LogEventOf<'user'>, 'mentions' | 'seen' | 'pictures'>;

export interface AttachedOptions {
  ports: { pictures: Pictures; mentionSource(): Promise<MentionSource> };
  model: Pick<Model, 'sees'>;
  events: readonly LogEvent[];
  signal: AbortSignal;
}

/**
 * Reads what a message mentions and finds its pictures. Throws before anything is logged or sent: for a mention that cannot be
 * read, a picture that is gone (`picture.gone`), and pictures for a model that sees none (`model.noPictures`).
 */
export async function toAttached(
  {
    mentions = [],
    pictures = [],
  }: { mentions?: readonly Mention[] | undefined; pictures?: readonly string[] | undefined },
  { ports, model, events, signal }: AttachedOptions,
): Promise<Attached> {
  if (pictures.length > 0 && model.sees === false) {
    throw new AppError('E_UNSUPPORTED', 'This model cannot see pictures.', {
      hint: 'Choose a model that sees pictures, or remove the pictures.',
      reason: toModelReason('noPictures'),
    });
  }
  const found: NonNullable<Attached['pictures']> = [];
  for (const id of new Set(pictures)) {
    const { type, bytes } = await ports.pictures.read(id);
    found.push({ id, type, bytes });
  }
  const resolved =
    mentions.length > 0 && (await resolveMentions(mentions, { source: await ports.mentionSource(), events, signal }));
  return { ...resolved, ...(found.length > 0 && { pictures: found }) };
}
