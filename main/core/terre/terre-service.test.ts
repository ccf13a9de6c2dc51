import { expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import type { TerreState } from '../../../shared/model/stage/terre.ts';
import { createTestPorts } from '../../../tests/support/test-ports.ts';
import { createApp } from '../app.ts';
import type { TerreProgram } from '../ports/stage/terre.ts';

const OFF: TerreState = { folder: null, source: null, problem: null, port: 3001, status: 'off' };

/** The app over a program that accepts `/terre`, as `/real/terre`. */
function open(picked?: string | null) {
  const stopped: string[] = [];
  const terre: TerreProgram = {
    state: async () => OFF,
    async check(typed) {
      if (typed !== '/terre') throw new AppError('E_BAD_ARGS', 'None.', { reason: 'terre.notTerre' });
      return '/real/terre';
    },
    start: async () => undefined,
    stop: async () => void stopped.push('stop'),
    readLog: async () => ['a'],
    on: () => () => undefined,
  };
  const ports = createTestPorts({ terre });
  if (picked !== undefined) ports.host.pickFolder = async () => picked;
  return { app: createApp(ports, { tools: [] }), ports, stopped };
}

const chosen = async ({ ports }: ReturnType<typeof open>) => (await ports.settings.read()).terreFolder;

it('stores the checked folder that the user typed where there is no dialog, and forgets it', async () => {
  const opened = open();
  expect(await opened.app.call('terre.choose', { folder: ' /terre ' })).toMatchObject({ ok: true, value: OFF });
  expect(await chosen(opened)).toBe('/real/terre');
  expect(await opened.app.call('terre.choose', { folder: '/game' })).toMatchObject({
    error: { reason: 'terre.notTerre' },
  });
  expect(await chosen(opened)).toBe('/real/terre');
  await opened.app.call('terre.choose', { folder: null });
  expect(await chosen(opened)).toBeNull();
});

it('takes the folder from the system’s dialog where there is one, and none from the page', async () => {
  const opened = open('/terre');
  expect(await opened.app.call('terre.choose', { folder: '/terre' })).toMatchObject({
    error: { code: 'E_UNSUPPORTED' },
  });
  expect(await chosen(opened)).toBeNull();
  await opened.app.call('terre.pick', {});
  expect(await chosen(opened)).toBe('/real/terre');
  const closed = open(null);
  expect(await closed.app.call('terre.pick', {})).toMatchObject({ ok: true });
  expect(await chosen(closed)).toBeNull();
});

it('does not take the folder with the other settings', async () => {
  const opened = open();
  const reply = await opened.app.call('settings.update', { terreFolder: '/terre' });
  expect(reply).toMatchObject({ ok: false, error: { code: 'E_BAD_ARGS' } });
  expect(await chosen(opened)).toBeNull();
});

it('ends the program with the app', async () => {
  const { app, stopped } = open();
  await app.dispose();
  expect(stopped).toEqual(['stop']);
});
