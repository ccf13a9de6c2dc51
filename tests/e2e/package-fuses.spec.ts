import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { expect, test } from '@playwright/test';
import { readTestPackage } from '../support/window/test-package.ts';

/** Fuse states in the program file are ASCII digits. */
const OFF = '0'.charCodeAt(0);
const ON = '1'.charCodeAt(0);

/** The expected states. Duplicated on purpose: the packager's list could be changed by mistake. */
const SHIPPED: Record<string, number> = {
  RunAsNode: OFF,
  EnableCookieEncryption: ON,
  EnableNodeOptionsEnvironmentVariable: OFF,
  EnableNodeCliInspectArguments: OFF,
  EnableEmbeddedAsarIntegrityValidation: ON,
  OnlyLoadAppFromAsar: ON,
  LoadBrowserProcessSpecificV8Snapshot: OFF,
  GrantFileProtocolExtraPrivileges: OFF,
};

async function readFuses(program: string): Promise<Record<string, number | undefined>> {
  const wire = await getCurrentFuseWire(program);
  const names = Object.keys(SHIPPED) as (keyof typeof FuseV1Options)[];
  return Object.fromEntries(names.map((name) => [name, wire[FuseV1Options[name]]]));
}

test('the shipped program has hardened fuses', async () => {
  const { program } = await readTestPackage();
  expect(await readFuses(program)).toEqual(SHIPPED);
});
