import type { Emit } from '../../../../shared/contract.ts';
import type { Locale } from '../../../../shared/model/local-text.ts';
import type { Clock } from '../../ports/host.ts';
import type { Reader } from '../../ports/reader.ts';
import type { GameEngine, ProgramFile } from '../../ports/workspace.ts';
import type { Writer } from '../../ports/writer.ts';

export interface ProposalServiceOptions {
  /** The disk. */
  reader: Reader;
  writer: Writer;
  emit: Emit;
  clock: Clock;
  /** The language of problem messages. */
  locale: () => Locale;
  /** Folders that the policy file closes. Default: none. */
  closedFolders?: () => readonly string[];
  /** Keeps a change of the user for the next start. Default: it is not kept. */
  reviewFile?: ProgramFile;
  /** The engine of the game. */
  engine?: GameEngine;
}
