import { expect, it, vi } from 'vitest';
import { captureStage } from './capture-stage.ts';

const AREA = { x: 1, y: 2, width: 30, height: 40 };
const page = async () => 'of the page';

it('takes a picture of the window where the host has a camera', async () => {
  const capture = vi.fn(async () => 'of the host');
  for (const of of ['stage', 'window'] as const)
    expect(await captureStage({ of, ...AREA }, { capture }, page)).toBe('of the host');
  expect(capture).toHaveBeenCalledWith(AREA);
});

it('has a stage outside of the window drawn by its page', async () => {
  const capture = vi.fn(async () => 'of the host');
  const nowhere = { x: 0, y: 0, width: 0, height: 0 };
  expect(await captureStage({ of: 'stage', ...nowhere }, { capture }, page)).toBe('of the page');
  expect(capture).not.toHaveBeenCalled();
});

it('has the stage drawn by its page where the host has none, and never the window', async () => {
  expect(await captureStage({ of: 'stage', ...AREA }, { capture: null }, page)).toBe('of the page');
  const refused = { reason: 'stage.noCamera' };
  await expect(captureStage({ of: 'window', ...AREA }, { capture: null }, page)).rejects.toMatchObject(refused);
  await expect(captureStage({ of: 'stage', ...AREA }, { capture: null }, async () => null)).rejects.toMatchObject(
    refused,
  );
});
