import { createProvider } from '../src/index.ts';

/** A provider of dice: `WEBGAL_PROVIDER_TOKEN=… WEBGAL_AGENT_HOME=… node examples/dice.ts`. */
export const provider = createProvider({
  id: 'dice',
  name: 'Dice',
  version: '1.0.0',
  capabilities: {
    roll: {
      type: 'context',
      name: 'Roll dice',
      description: 'Rolls dice and returns each result and the sum. With the same seed it returns the same results.',
      risk: { level: 'low', reason: 'It only computes numbers.' },
      tags: ['random'],
      parameters: {
        type: 'object',
        additionalProperties: false,
        required: ['count', 'sides'],
        properties: {
          count: { type: 'integer', minimum: 1, maximum: 100 },
          sides: { type: 'integer', minimum: 2, maximum: 1000 },
          seed: { type: 'integer', minimum: 0, maximum: 4294967295 },
        },
      },
      returns: {
        type: 'object',
        required: ['results', 'sum'],
        properties: { results: { type: 'array', items: { type: 'integer' } }, sum: { type: 'integer' } },
      },
      examples: [{ name: 'Two dice', parameters: { count: 2, sides: 6, seed: 7 } }],
      run({ count, sides, seed }) {
        const next = createRandom(typeof seed === 'number' ? seed : Math.floor(Math.random() * 2 ** 32));
        const results = Array.from({ length: Number(count) }, () => 1 + Math.floor(next() * Number(sides)));
        const sum = results.reduce((total, each) => total + each, 0);
        provider.emit('rolled', { sum });
        return { results, sum };
      },
    },
    rolled: {
      type: 'event',
      name: 'Dice were rolled',
      description: 'Someone rolled dice.',
      risk: { level: 'low', reason: 'It only reports.' },
      returns: { type: 'object', required: ['sum'], properties: { sum: { type: 'integer' } } },
    },
  },
});

/** Mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

if (import.meta.main) await provider.connect().closed;
