import { expect, it } from 'vitest';
import { toPort } from './stage-window-port.ts';
import { STAGE_WINDOW_READY } from './stage-window-state.ts';

const page = { name: 'the window' };
const own = 'app://webgal-agent';
const ready = { source: page, origin: own, data: STAGE_WINDOW_READY, ports: ['port'] };

it('takes the port of the window that was opened', () => expect(toPort(ready, page, own)).toBe('port'));

it.each([
  ['of a game, which has another origin', { ...ready, origin: 'http://stage-1.localhost:1' }],
  ['of another page of the app', { ...ready, source: { name: 'another' } }],
  ['of the game in that window', { ...ready, source: { name: 'frame' }, origin: 'http://stage-1.localhost:1' }],
  ['of a sandboxed page', { ...ready, origin: 'null' }],
  ['with other words', { ...ready, data: { kind: STAGE_WINDOW_READY } }],
  ['without a port', { ...ready, ports: [] }],
])('takes no message %s', (_, message) => expect(toPort(message, page, own)).toBeNull());
