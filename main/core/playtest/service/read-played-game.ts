import type { PlaytestSource } from '../../../../shared/model/playtest/playtest-state.ts';
import type { StoryTest } from '../../../../shared/model/playtest/story-test.ts';
import type { ProjectIndex } from '../../../../shared/script/project-index/project-facts.ts';
import type { Reader } from '../../ports/reader.ts';
import type { GameEngine } from '../../ports/workspace.ts';
import { isIndexed, readProjectIndex } from '../../project/read-project-index.ts';
import type { Buffers, ProposalService } from '../../services.ts';
import { readStoryTests } from '../read-story-tests.ts';

export interface PlayedGame {
  index: ProjectIndex;
  /** Texts that are played instead of those on the disk. */
  texts: ReadonlyMap<string, string>;
  tests: readonly StoryTest[];
}

interface GameTexts {
  reader: Reader;
  buffers: Pick<Buffers, 'all'>;
  proposals: Pick<ProposalService, 'texts'>;
  engine: GameEngine;
}

/** Reads a game as a playtest plays it. A file that a proposal deletes is still there. */
export async function readPlayedGame(
  { reader, buffers, proposals, engine }: GameTexts,
  { source, signal, withTests = true }: { source: PlaytestSource; signal: AbortSignal; withTests?: boolean },
): Promise<PlayedGame> {
  const texts = new Map([
    ...(source === 'saved' ? [] : buffers.all()),
    ...(source === 'proposed' ? proposals.texts() : []),
  ]);
  const index = await readProjectIndex(reader, { ...engine, signal });
  for (const [path, text] of texts) {
    index.addFile(path);
    if (isIndexed(path)) index.setText(path, text);
  }
  if (!withTests) return { index, texts, tests: [] };
  const tests = await readStoryTests({
    async read(path, options) {
      const text = texts.get(path);
      return text === undefined ? reader.read(path, options) : { path, text, version: '', bytes: text.length };
    },
  });
  return { index, texts, tests };
}
