import type { Emit } from '../../../../shared/contract.ts';
import type { Locale } from '../../../../shared/model/text.ts';
import type { Clock, GameEngine, Reader, Writer } from '../../ports.ts';

export interface ProposalServiceOptions {
  /** The disk. */
  reader: Reader;
  writer: Writer;
  emit: Emit;
  clock: Clock;
  /** The language of problem messages. */
  locale: () => Locale;
  /** Folders that the game's rules close. Default: none. */
  closedFolders?: () => readonly string[];
  /** The engine of the game. */
  engine?: GameEngine;
}
