import type { Model, ModelMessage } from '../../ports/models.ts';
import type { Pictures } from '../../ports/stores/pictures.ts';
import { PICTURE_LEFT_OUT, type PicturePart } from './to-user-message.ts';

/**
 * Returns the messages of a request with the bytes of their pictures. A line stands for a picture where the model sees none or
 * refused it, and where its file is gone.
 */
export async function withPictures(
  messages: readonly ModelMessage[],
  { pictures, model }: { pictures: Pick<Pictures, 'read'>; model: Pick<Model, 'sees'> },
): Promise<ModelMessage[]> {
  return Promise.all(messages.map((message) => withBytes(message, { pictures, model })));
}

async function withBytes(
  message: ModelMessage,
  { pictures, model }: { pictures: Pick<Pictures, 'read'>; model: Pick<Model, 'sees'> },
): Promise<ModelMessage> {
  if (message.role !== 'user' || !Array.isArray(message.content)) return message;
  const parts = await Promise.all(
    message.content.map(async (part: unknown) => {
      if (!isPicture(part)) return part;
      const isSent = model.sees === true || (model.sees !== false && part.isRefused !== true);
      const found = isSent ? await pictures.read(part.id).catch(() => null) : null;
      if (!found) return { type: 'text', text: PICTURE_LEFT_OUT };
      return { type: 'file', data: { type: 'data', data: found.data }, mediaType: found.type };
    }),
  );
  if (parts.some((part) => (part as { type?: unknown }).type !== 'text')) return { ...message, content: parts };
  // Some services accept nothing but a string from a message without pictures.
  return { ...message, content: parts.map((part) => String((part as { text?: unknown }).text)).join('\n\n') };
}

/** True if a message of a request has a picture. */
export function hasPictures(messages: readonly ModelMessage[]): boolean {
  return messages.some(({ role, content }) => role === 'user' && Array.isArray(content) && content.some(isPicture));
}

/** Marks the pictures of earlier messages as refused by the model that they were sent to. */
export function markRefused(messages: ModelMessage[]): void {
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'user' || !Array.isArray(message.content)) continue;
    const content = message.content.map((part: unknown) => (isPicture(part) ? { ...part, isRefused: true } : part));
    messages[index] = { ...message, content };
  }
}

function isPicture(part: unknown): part is PicturePart {
  return typeof part === 'object' && part !== null && 'type' in part && part.type === 'picture';
}
