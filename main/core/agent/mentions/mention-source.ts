import type { Reader } from '../../ports/reader.ts';
import type { GameEngine } from '../../ports/workspace.ts';

/** What mentions are read from: the drafts over the disk, without the folders that the game's rules close. */
export interface MentionSource {
  reader: Reader;
  engine: Partial<GameEngine>;
}

/** What a mention contributes to a message. */
export interface DescribedMention {
  facts: Record<string, unknown>;
  /** Returns the content in at most about `room` characters, with a note of what is missing. */
  toContent(room: number): string;
  /** The version of the text that the content shows, or none. */
  seen?: { path: string; version: string };
}
