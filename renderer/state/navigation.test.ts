import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

it('restores the panes, and opens the script editor whatever view was stored', async () => {
  // `record` is the former id of the audit log.
  const stored = JSON.stringify({ view: 'record', isStageOpen: false });
  vi.stubGlobal('localStorage', { getItem: () => stored, setItem: () => undefined });
  const { navigationStore } = await import('./navigation.ts');
  expect(navigationStore.getState()).toMatchObject({ view: 'write', isStageOpen: false });
});
