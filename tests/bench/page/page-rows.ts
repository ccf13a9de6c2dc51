import { benchStoryMapPage } from '../story-map-page.ts';
import { benchConversation } from './conversation.ts';
import { benchDrafting } from './drafting.ts';
import { benchHistory, benchTree } from './lists.ts';
import { benchLongScenes } from './long-scenes.ts';
import { benchReviewing } from './reviewing.ts';
import type { Row } from './row.ts';
import { benchStreaming } from './streaming.ts';
import { benchTyping, benchTypingKinds } from './typing.ts';
import { benchUsable } from './usable.ts';

const BENCHES: Record<string, () => Promise<Row[]>> = {
  streaming: async () => [await benchStreaming({ scenes: 5000, seconds: 60 })],
  conversation: () => benchConversation(17_000),
  history: () => benchHistory(5000),
  tree: () => benchTree(5000),
  reviewing: () => benchReviewing(5000),
  drafting: () => benchDrafting({ files: 50, scenes: 500 }),
  typing: async () => [
    ...(await benchTyping({ scenes: 50 })),
    ...(await benchTyping({ scenes: 500, assets: 20_000, lines: 2000 })),
    ...(await benchTyping({ scenes: 2, lines: 10_000 })),
  ],
  keys: () => benchTypingKinds({ scenes: 2, assets: 20_000, lines: 10_000 }),
  long: () => benchLongScenes(),
  map: async () => [...(await collect(benchStoryMapPage(1))), ...(await collect(benchStoryMapPage(10)))],
  usable: () => benchUsable(),
};

async function collect(lines: AsyncGenerator<string>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const line of lines) rows.push({ name: line, line, isMet: !line.includes('missed') });
  return rows;
}

/** Measures delays of the page in big games. Yields one line for each row; `only` selects one row. */
export async function* benchPage(only?: string): AsyncGenerator<string> {
  for (const [name, bench] of Object.entries(BENCHES)) {
    if (only !== undefined && only !== name) continue;
    for (const { line } of await bench()) yield line;
  }
}
