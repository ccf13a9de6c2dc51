import path from 'node:path';
import type { SessionLogFile } from '../../core/ports/logs.ts';
import { readLines } from '../files/read-lines.ts';
import type { JournalSignature } from '../journal/journal-signature.ts';
import { createLineChain, type LineChain, toLineBody } from './line-chain.ts';
import { createLogFile } from './log-file.ts';

/** The first line of a log contains its start and little else. */
const MAX_FIRST_LINE_BYTES = 4 * 1024;
/** Longer than any line this app writes: two texts of a file at their maximum, as JSON. */
const MAX_LINE_BYTES = 192 * 1024 * 1024;
/** Maximum of a foreign log that is shown. */
export const MAX_FOREIGN_BYTES = 2 * 1024 * 1024;

/**
 * Creates the log of one conversation, each line signed and chained to the one before. A log that another installation or
 * program wrote, or that was changed since, is foreign: its beginning can be read, and no line is appended.
 */
export function createSessionLogFile(options: {
  folder: (make: boolean) => Promise<string | null>;
  session: string;
  signature: JournalSignature;
}): SessionLogFile & { close(): Promise<void> } {
  const { folder, session, signature } = options;
  const name = `${session}.jsonl`;
  let known: Promise<LineChain> | undefined;
  const toChain = () => {
    known ??= createLineChain(signature, `session:${session}`).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
  const file = createLogFile({ folder, name, chain: toChain });

  return {
    append: file.append,
    appendAll: file.appendAll,
    close: file.close,

    async read(take) {
      await file.settle();
      const directory = await folder(false);
      const result = { damaged: 0, isForeign: false };
      if (!directory) return result;
      const chain = await toChain();
      let last = chain.start;
      let count = 0;
      let shown = 0;
      const hand = (body: Buffer): void => {
        const entry = toEntry(body);
        if (entry === undefined) result.damaged += 1;
        else take(entry);
      };
      const limit = () => (result.isForeign ? MAX_FOREIGN_BYTES : count === 0 ? MAX_FIRST_LINE_BYTES : MAX_LINE_BYTES);
      for await (const line of readLines(path.join(directory, name), name, limit)) {
        const checked = line && !result.isForeign && chain.check(line, last);
        if (checked) {
          last = checked.mark;
          hand(checked.body);
        } else {
          result.isForeign = true;
          if (shown > MAX_FOREIGN_BYTES) break;
          if (line === null) result.damaged += 1;
          else if (line.length > 0) hand(toLineBody(line));
        }
        count += 1;
        shown += line?.length ?? 0;
      }
      // An empty file was not created here: the app creates the file with its first line.
      if (count === 0) result.isForeign = await file.exists();
      return result;
    },
  };
}

function toEntry(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
