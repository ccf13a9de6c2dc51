import path from 'node:path';
import type { SessionLogFile } from '../../core/ports/logs.ts';
import type { JournalSignature } from '../journal/journal-signature.ts';
import { createLineChain, type LineChain } from './chain/line-chain.ts';
import { readSignedLog } from './chain/read-signed-log.ts';
import { createLogFile } from './log-file.ts';

/**
 * Creates the log of one conversation, each line signed and chained to the one before. A log that another installation or
 * program wrote, or that was changed since, is foreign: its beginning can be read, and no line is appended.
 */
export function createSessionLogFile(options: {
  folder: (make: boolean) => Promise<string | null>;
  session: string;
  /** Of the file; by default that of the session. */
  name?: string;
  signature: JournalSignature;
}): SessionLogFile & { close(): Promise<void> } {
  const { folder, session, name = `${session}.jsonl`, signature } = options;
  let known: Promise<LineChain> | undefined;
  const toChain = () => {
    known ??= createLineChain(signature, `session:${session}`).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
  const log = createLogFile({ folder, name, chain: toChain });

  return {
    append: log.append,
    appendAll: log.appendAll,
    close: log.close,

    async read(take) {
      await log.settle();
      const directory = await folder(false);
      const result = { damaged: 0, isForeign: false };
      if (!directory) return result;
      const file = path.join(directory, name);
      const { lines, isForeign, digest } = await readSignedLog(file, name, await toChain(), (entry) => {
        if (entry === undefined) result.damaged += 1;
        else take(entry);
      });
      log.know(digest);
      // An empty file was not created here: the app creates the file with its first line.
      result.isForeign = isForeign || (lines === 0 && (await log.exists()));
      return result;
    },
  };
}
