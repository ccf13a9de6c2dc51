import type { Output, Parsed } from '../../shared/contract.ts';

/** What the list of conversations does, beside opening one. */
export interface ConversationList {
  sessions(part: Parsed<'chat.sessions'>): Promise<Output<'chat.sessions'>>;
  search(request: Parsed<'chat.search'>): Promise<Output<'chat.search'>>;
  endSearch(): void;
  export(session: string): Promise<Output<'chat.export'>>;
  /** Moves a conversation to the trash; the open one is left first. */
  remove(session: string): Promise<void>;
  restore(session: string): Promise<void>;
  trash(): Promise<Output<'chat.trash'>>;
  /** Removes a deleted conversation for good; null: all of them. */
  erase(session: string | null): Promise<void>;
  /** Gives a conversation a title; the open one without `session`. */
  rename(title: string, session?: string): Promise<void>;
}
