import { describe, expect, it } from 'vitest';
import type { FakeStep } from '../../support/services/fake-model-server.ts';
import { openGame } from '../support/open-game.ts';
import { done } from '../support/steps.ts';

const html = '<!doctype html><title>Sign in</title><p>Please sign in</p>';
const page = { 'content-type': 'text/html' };
const said = (message: string, code?: string | number) => ({ error: { message, ...(code !== undefined && { code }) } });
const reply = (status: number, body: unknown, headers?: FakeStep['headers']): FakeStep => ({
  status,
  body,
  ...(headers && { headers }),
});

/** What a service does, the reason on the card, and words of the service that the card holds. */
type Fault = [string, FakeStep, string, (string | RegExp)?];

const FINAL: Fault[] = [
  ['refuses the key', reply(401, said('Incorrect API key provided')), 'key', 'Incorrect API key'],
  ['refuses the key with 400', reply(400, said('API key not valid. Please pass a valid API key.')), 'key'],
  ['has no balance', reply(402, said('Insufficient Balance')), 'balance', 'Insufficient Balance'],
  [
    'has no balance with 429',
    reply(429, said('You exceeded your current quota, check billing', 'insufficient_quota')),
    'balance',
  ],
  ['has no balance in Chinese', reply(429, said('您的账户已欠费，请充值后重试。', '1113')), 'balance', '欠费'],
  ['has no balance inside a 200', reply(200, said('Insufficient Balance')), 'balance'],
  [
    'refuses the region',
    reply(403, said('Country not supported', 'unsupported_country_region_territory')),
    'forbidden',
  ],
  ['refuses without words', reply(403, ''), 'forbidden'],
  ['has no such model', reply(404, said('The model `story` does not exist', 'model_not_found')), 'notFound', '`story`'],
  ['has no such model with 400', reply(400, said('模型不存在，请检查模型代码。', '1211')), 'notFound'],
  ['has no such path', reply(404, said('Invalid URL (POST /v1/chat/completions)')), 'wrongPath'],
  ['has no such path as a page', reply(404, html, page), 'wrongPath', 'Please sign in'],
  ['has no such path inside a 200', reply(200, { error: 'Unexpected endpoint or method. (POST /chat)' }), 'wrongPath'],
  ['sends a web page', reply(200, html, page), 'webPage', 'Please sign in'],
  ['sends other JSON', reply(200, { status: 'up' }), 'notStreamed', 'up'],
  ['has a model without tools', reply(400, said('story does not support tools')), 'noTools', 'does not support tools'],
  ['filters the question', reply(400, said('Content Exists Risk')), 'filtered', 'Content Exists Risk'],
  ['filters the answer', { text: ['Once'], finish: 'content_filter' }, 'filtered', 'content_filter'],
  ['filters with a reason of its own', { finish: 'sensitive' }, 'filtered', 'sensitive'],
  ['has too little memory', reply(500, said('model requires more system memory (8 GiB) than is available')), 'memory'],
  ['refuses for an unknown reason', reply(400, said('temperature must be 1')), 'refused', 'temperature must be 1'],
  ['needs another scheme', reply(400, '<p>The plain HTTP request was sent to HTTPS port</p>', page), 'scheme'],
  ['redirects', reply(307, '', { location: 'http://127.0.0.1:9/v1' }), 'unreachable'],
  ['ends for an unknown reason', { text: ['Once'], finish: 'weird' }, 'unknownEnd', 'weird'],
  ['breaks off after a word', { text: ['Once', ' upon'], dieAfter: 2, delay: 5 }, 'cutOff'],
  ['ends at the longest answer without a word', { finish: 'length' }, 'lengthLimit', 'length'],
  ['has a daily limit', reply(429, said('Rate limit exceeded: free-models-per-day')), 'rate', 'per-day'],
  ['asks to wait until tomorrow', reply(429, said('Slow down'), { 'retry-after': '86400' }), 'rate', 'Slow down'],
];

/** A failure that the same request may not meet again, and how often it is sent in all. */
const TEMPORARY: [string, FakeStep, string, number][] = [
  ['limits the requests', reply(429, said('Too many requests')), 'rate', 4],
  ['limits in Chinese', reply(429, said('您当前使用该API的并发数过高', '1302')), 'rate', 4],
  ['is overloaded', reply(503, said('Overloaded')), 'overloaded', 4],
  ['is overloaded with 529', reply(529, { type: 'error', error: { type: 'overloaded_error' } }), 'overloaded', 4],
  ['is overloaded inside a 200', reply(200, said('Provider returned error', 503)), 'overloaded', 4],
  ['is overloaded at the end', { finish: 'insufficient_system_resource' }, 'overloaded', 4],
  ['is overloaded in the stream', { failure: { message: 'busy', type: 'server_error' } }, 'overloaded', 4],
  ['has a failing proxy', reply(502, '<h1>Bad Gateway</h1>', page), 'overloaded', 4],
  ['has a slow gateway', reply(504, ''), 'timeout', 2],
  ['breaks off before a word', { dieAfter: 1 }, 'cutOff', 2],
  ['ends without an end', { text: [], noFinish: true }, 'cutOff', 2],
  ['sends an empty answer', {}, 'empty', 2],
  ['sends a blank answer', { text: [' ', '\n'] }, 'empty', 2],
  ['sends thinking alone', { reasoning: ['Hm'] }, 'empty', 2],
];

describe('a turn whose service', () => {
  it.each(FINAL)('%s ends with the reason after one request', async (_name, step, problem, words) => {
    const game = await openGame({ script: [step, done()] });
    await game.send('写一句');
    const [end] = await game.items('end');
    expect(end).toMatchObject({ reason: 'error', error: { reason: `model.${problem}` } });
    if (words) expect(String(end?.error?.details?.detail)).toMatch(words);
    expect(game.server.requests).toHaveLength(1);
  });

  it.each(TEMPORARY)('%s ends with the reason after the last retry', async (_name, step, problem, sent) => {
    const game = await openGame({ script: [step, step, step, step, step, step] });
    await game.send('写一句');
    const [end] = await game.items('end');
    expect(end).toMatchObject({ reason: 'error', error: { reason: `model.${problem}` } });
    expect(game.server.requests).toHaveLength(sent);
  });

  it('recovers continues with an unchanged request', async () => {
    const wait: FakeStep = { status: 429, headers: { 'retry-after-ms': '1' } };
    const game = await openGame({ script: [wait, wait, done('写好了。')] });
    await game.send('写一句');
    expect(await game.items('completion')).toMatchObject([{ text: '写好了。' }]);
    const [first, , last] = game.server.requests;
    expect(last?.body.messages).toEqual(first?.body.messages);
  });
});

describe('the wait before a retry', () => {
  it('is shown with its reason and its end, and removed after it', async () => {
    const game = await openGame({ script: [{ status: 429, headers: { 'retry-after-ms': '30' } }, done()] });
    await game.send('写一句');
    const waits = game.events('chat.updated').map(({ waiting }) => waiting);
    expect(waits).toContainEqual({ until: expect.any(Number), problem: 'rate' });
    expect(waits.at(-1)).toBeUndefined();
  });

  it('ends at once when the user stops the turn', async () => {
    const game = await openGame({ script: [{ status: 429, headers: { 'retry-after': '60' } }, done()] });
    await game.ask('chat.send', { text: '写一句', mode: 'act' });
    await expect.poll(async () => (await game.chat()).waiting?.problem).toBe('rate');
    await game.ask('chat.stop', {});
    await game.settled();
    expect(await game.items('end')).toMatchObject([{ reason: 'stopped' }]);
    expect(game.server.requests).toHaveLength(1);
  });
});
