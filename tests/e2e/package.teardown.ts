import { rm } from 'node:fs/promises';
import { test as teardown } from '@playwright/test';
import { PACKAGE_VARIABLE } from '../support/window/test-package.ts';

teardown('removes the package', async () => {
  await rm(process.env[PACKAGE_VARIABLE] ?? '', { recursive: true, force: true, maxRetries: 5 });
});
