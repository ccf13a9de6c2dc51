import { describe, expect, it } from 'vitest';
import type { FakeStep } from '../support/services/fake-model-server.ts';
import { assertLegal } from './support/assert-legal.ts';
import { type GauntletGame, openGame } from './support/open-game.ts';
import { done, toWireText } from './support/steps.ts';

const toLast = ({ server }: GauntletGame): string => server.requests.slice(-1).map(toWireText).join('');

/** A step whose text takes longer than the interval at which pieces of it are logged. */
const slow = (): FakeStep => ({ text: ['一', '二', '三', '四', '五', '六', '七', '八'], delay: 600 });

describe('news in the middle of an answer', () => {
  it.each(['queue', 'rename'] as const)(
    'does not cut the answer in two (%s)',
    async (what) => {
      const game = await openGame({ script: [slow(), done(), done()] });
      await game.ask('chat.send', { text: '开始', mode: 'act' });
      // Some of the text is logged then.
      await new Promise((resolve) => setTimeout(resolve, 3400));
      if (what === 'queue') await game.ask('chat.queue', { text: '再来', mode: 'act', now: false });
      else await game.ask('chat.rename', { title: '雨' });
      await game.settled();
      if (what === 'rename') await game.send('再来');
      expect(toLast(game).match(/一二三/g)).toHaveLength(1);
      expect(toLast(game)).not.toContain('broken off');
      for (const request of game.server.requests) assertLegal(request);
      const again = await game.reopen();
      expect(JSON.stringify((await again.chat()).items).match(/一二三/g)).toHaveLength(1);
    },
    30_000,
  );
});
