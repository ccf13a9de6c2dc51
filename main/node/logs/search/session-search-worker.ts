import { parentPort } from 'node:worker_threads';
import { FOREIGN_JSON, parseBoundedJson } from '../../../../shared/text/bounded-json.ts';
import { findWords } from '../../../../shared/text/find-words.ts';
import type { SpokenMatch } from '../../../core/ports/logs.ts';
import { readLines } from '../../files/read-lines.ts';
import { toLineBody } from '../chain/line-chain.ts';
import { createSpokenReader, mayHoldText, type Spoken } from './read-spoken.ts';
import { type SessionSearchAnswer, type SessionSearchTask, STOP } from './session-search-task.ts';

/**
 * The thread that searches logs of conversations, one line in memory at a time. It verifies no signature: whose a conversation is comes
 * from the list. Imports only Node and pure code; the build bundles it into one file.
 */

/** Longer than a message or a step; longer lines hold whole files. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

let isStopped = false;

async function search({ file, name, words, most, maxBytes }: SessionSearchTask): Promise<SpokenMatch[]> {
  const matches: SpokenMatch[] = [];
  const reader = createSpokenReader();
  let bytes = 0;
  const add = (spoken: readonly Spoken[]): void => {
    for (const { row, by, text } of spoken) {
      const found = matches.length < most ? findWords(text, words) : null;
      if (found) matches.push({ row, by, ...found });
    }
  };
  for await (const line of readLines(file, name, () => MAX_LINE_BYTES)) {
    bytes += line?.length ?? MAX_LINE_BYTES;
    if (isStopped || (maxBytes !== null && bytes > maxBytes)) return matches;
    if (line === null || !mayHoldText(line)) continue;
    add(reader.take(toEvent(line)));
    if (matches.length >= most) return matches;
  }
  add(reader.end());
  return matches;
}

function toEvent(line: Buffer): unknown {
  try {
    return parseBoundedJson(toLineBody(line).toString('utf8'), FOREIGN_JSON);
  } catch {
    // A damaged line; opening the conversation reports it.
    return null;
  }
}

parentPort?.on('message', (task: SessionSearchTask | typeof STOP) => {
  isStopped = task === STOP;
  if (task === STOP) return;
  search(task).then(
    (matches) => parentPort?.postMessage({ matches } satisfies SessionSearchAnswer),
    (error: unknown) => parentPort?.postMessage({ failure: String(error) } satisfies SessionSearchAnswer),
  );
});
