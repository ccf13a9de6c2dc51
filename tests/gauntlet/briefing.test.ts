import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FakeRequest } from '../support/services/fake-model-server.ts';
import { assertStablePrefix } from './support/assert-legal.ts';
import { openGame, START } from './support/open-game.ts';
import { call, calls, done } from './support/steps.ts';

/** Returns the instructions of a request. */
function toInstructions(request: FakeRequest | undefined): string {
  return String(request?.body.messages?.[0]?.content ?? '');
}

describe('the notes of a game', () => {
  it('are sent as quoted blocks: AGENTS.md and the outline, with the languages', async () => {
    const game = await openGame({
      files: {
        'AGENTS.md': 'Keep lines below 20 characters.',
        'outline.md': '1. 雨\n2. 海',
        [START]: '雪:你来了，我在车站等了很久。;\n海:下雨了，路上很堵，对不起。;\nend;\n',
      },
      script: [done()],
      settings: { locale: 'en' },
    });
    await game.send('写一句');
    const told = toInstructions(game.server.requests[0]);
    expect(told).toContain('<game-notes>[{"file":"AGENTS.md","text":"Keep lines below 20 characters."}');
    expect(told).toContain('{"file":"outline.md","text":"1. 雨\\n2. 海"}]</game-notes>');
    expect(told).toContain('The app is set to English. Its scenes are written in Chinese.');
  });

  it('are not sent from a draft, and from the disk at the next message', async () => {
    const file = 'AGENTS.md';
    const game = await openGame({
      script: [calls(call('write_to_file', { path: file, content: 'DRAFTED' })), done(), done(), done()],
    });
    await game.send('写下来');
    await game.send('再来');
    expect(toInstructions(game.server.requests[2])).not.toContain('DRAFTED');
    await writeFile(join(game.root, file), 'ON DISK');
    await game.send('再来');
    expect(toInstructions(game.server.requests[3])).toContain('ON DISK');
  });

  it('stay the same while a turn runs', async () => {
    const game = await openGame({
      files: { 'AGENTS.md': 'Short lines.' },
      script: [
        calls(call('read_file', { path: START })),
        calls(call('write_to_file', { path: START, content: '雪:Hello and the rain is what you are;\n' })),
        done(),
      ],
    });
    await game.send('看一看');
    assertStablePrefix(game.server.requests);
  });
});

describe('a fact of the bible that holds from a scene on', () => {
  it('is sent with the scenes in which it holds', async () => {
    const game = await openGame({
      files: {
        'story-bible.md': '# 设定\n\n## 雪知道真相（从 b 起）\n\n她不再相信海。\n',
        [START]: '雪:你来了。;\nchangeScene:a.txt;\n',
        'game/scene/a.txt': '雪:早。;\nchangeScene:b.txt;\n',
        'game/scene/b.txt': '雪:我知道了。;\nchangeScene:c.txt;\n',
        'game/scene/c.txt': '雪:再见。;\nchangeScene:start.txt;\n',
      },
      script: [done()],
    });
    await game.send('写一句');
    expect(toInstructions(game.server.requests[0])).toContain(
      '<bible-scenes>[{"fact":"雪知道真相（从 b 起）","from":"b.txt","holds":["b.txt","c.txt"]}]</bible-scenes>',
    );
  });
});
