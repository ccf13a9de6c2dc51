import { test as setup } from '@playwright/test';
import { makeTestPackage } from '../support/window/test-package.ts';

setup('makes the package', async () => {
  setup.setTimeout(600_000);
  await makeTestPackage();
});
