import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { AppError } from '../../../shared/errors.ts';
import { MAX_MENTIONS, type Mention, toMentionKey } from '../../../shared/model/message/mention.ts';
import { MAX_PICTURES, type Picture } from '../../../shared/model/message/picture.ts';
import { projectStore } from '../project/project-store.ts';

/** A picture of the message that is being written. `url`: a data URL of what is sent. */
export interface DraftPicture {
  picture: Picture;
  url: string;
}

export interface AttachmentState {
  mentions: readonly Mention[];
  pictures: readonly DraftPicture[];
  /** The key of the mention that the app refused, and why (`errors:<reason>`). */
  refused: { key: string; reason: string } | null;
}

/** What the message that is being written refers to and shows. */
export const attachmentStore = createStore<AttachmentState>(() => ({ mentions: [], pictures: [], refused: null }));

export function useAttachments<T>(select: (state: AttachmentState) => T): T {
  return useStore(attachmentStore, select);
}

/** Adds a mention unless it is there; returns false when there are too many. */
export function addMention(mention: Mention): boolean {
  const { mentions } = attachmentStore.getState();
  const key = toMentionKey(mention);
  if (mentions.some((each) => toMentionKey(each) === key)) return true;
  if (mentions.length >= MAX_MENTIONS) return false;
  attachmentStore.setState({ mentions: [...mentions, mention] });
  return true;
}

export function removeMention(mention: Mention): void {
  const key = toMentionKey(mention);
  attachmentStore.setState(({ mentions, refused }) => ({
    mentions: mentions.filter((each) => toMentionKey(each) !== key),
    refused: refused?.key === key ? null : refused,
  }));
}

/** Adds a picture unless it is there; returns false when there are too many. */
export function addPicture(added: DraftPicture): boolean {
  const { pictures } = attachmentStore.getState();
  if (pictures.some(({ picture }) => picture.id === added.picture.id)) return true;
  if (pictures.length >= MAX_PICTURES) return false;
  attachmentStore.setState({ pictures: [...pictures, added] });
  return true;
}

export function removePicture(id: string): void {
  attachmentStore.setState(({ pictures }) => ({ pictures: pictures.filter(({ picture }) => picture.id !== id) }));
}

/** Removes the last picture or mention. Returns false if there is none. */
export function removeLastAttachment(): boolean {
  const { mentions, pictures } = attachmentStore.getState();
  const picture = pictures.at(-1);
  const mention = mentions.at(-1);
  if (picture) removePicture(picture.picture.id);
  else if (mention) removeMention(mention);
  return picture !== undefined || mention !== undefined;
}

/** Removes what was sent; what was added meanwhile stays. */
export function clearAttachments(sent: Pick<AttachmentState, 'mentions' | 'pictures'>): void {
  attachmentStore.setState(({ mentions, pictures }) => ({
    mentions: mentions.filter((mention) => !sent.mentions.includes(mention)),
    pictures: pictures.filter((picture) => !sent.pictures.includes(picture)),
    refused: null,
  }));
}

/** Removes everything when another game opens, to which it does not belong; call once. */
export function connectAttachments(): void {
  projectStore.subscribe(({ project }, before) => {
    if (project?.id === before.project?.id) return;
    attachmentStore.setState({ mentions: [], pictures: [], refused: null });
  });
}

/** Marks the mention that an error of the app names. */
export function markRefused(mentions: readonly Mention[], error: unknown): void {
  if (!(error instanceof AppError) || !error.reason?.startsWith('mention.')) return;
  const index = error.details?.index;
  const mention = typeof index === 'number' ? mentions[index] : undefined;
  if (mention) attachmentStore.setState({ refused: { key: toMentionKey(mention), reason: error.reason } });
}
