import { z } from 'zod';
import { ProjectPath } from '../../paths/project-path.ts';

/** Maximum of mentions in one message. */
export const MAX_MENTIONS = 20;

const line = z.int().min(1);

/** Something of the game that a message refers to. The app resolves it when the message is sent. */
export const Mention = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('scene'), path: ProjectPath }),
  /** `line`: where the label stood when it was chosen; only a hint, because names can repeat. */
  z.strictObject({ kind: z.literal('label'), path: ProjectPath, name: z.string().min(1).max(200), line }),
  /** A speaker, as written before the colon. */
  z.strictObject({ kind: z.literal('character'), name: z.string().min(1).max(200) }),
  z.strictObject({ kind: z.literal('asset'), path: ProjectPath }),
  /** Selected text of the editor, and the line where it began when it was chosen. */
  z.strictObject({ kind: z.literal('selection'), path: ProjectPath, line, text: z.string().min(1).max(20_000) }),
  z.strictObject({ kind: z.literal('problem'), path: ProjectPath, line, message: z.string().min(1).max(1000) }),
]);
export type Mention = z.infer<typeof Mention>;
export type MentionKind = Mention['kind'];

/** Identifies what a mention refers to: two with the same key are one. */
export function toMentionKey(mention: Mention): string {
  switch (mention.kind) {
    case 'character':
      return `character ${mention.name}`;
    case 'label':
      return `label ${mention.path} ${mention.name}`;
    case 'selection':
      return `selection ${mention.path} ${mention.line} ${mention.text}`;
    case 'problem':
      return `problem ${mention.path} ${mention.line} ${mention.message}`;
    default:
      return `${mention.kind} ${mention.path}`;
  }
}

/** The name of a mention, as it stands behind the @ in the text of a message. */
export function toMentionName(mention: Mention): string {
  switch (mention.kind) {
    case 'character':
    case 'label':
      return mention.name;
    case 'selection': {
      const last = mention.line + mention.text.replace(/\n$/, '').split('\n').length - 1;
      return `${toFileName(mention.path)}:${last === mention.line ? '' : `${mention.line}-`}${last}`;
    }
    case 'problem':
      return `${toFileName(mention.path)}:${mention.line}`;
    default:
      return toFileName(mention.path);
  }
}

function toFileName(path: string): string {
  return path.replace(/^game\/scene\//, '').replace(/^game\/[^/]+\/(?=.)/, '');
}
