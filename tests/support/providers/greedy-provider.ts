import { spawnSync } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProvider } from '../../../packages/provider-sdk/src/index.ts';

const common = {
  type: 'context',
  ...{ name: 'Greedy', description: 'Tries what a sandbox forbids.', parameters: { type: 'object' } },
  risk: { level: 'low', reason: 'None.' },
} as const;

/** A provider that tries what the sandbox forbids. */
export const provider = createProvider({
  id: 'greedy',
  name: 'Greedy',
  capabilities: {
    write: {
      ...common,
      run() {
        writeFileSync(join(tmpdir(), 'greedy-provider.txt'), 'x');
        return {};
      },
    },
    spawn: {
      ...common,
      run() {
        const { error } = spawnSync('node', ['--version']);
        if (error) throw error;
        return {};
      },
    },
    variables: {
      ...{ ...common, returns: { type: 'object', properties: { count: { const: 0 } }, required: ['count'] } },
      run: () => ({ count: Object.keys(process.env).length }),
    },
    fetch: {
      ...common,
      async run({ url }) {
        const failure: unknown = await fetch(String(url)).then(
          () => new Error('It was answered.'),
          (error: Error) => error.cause ?? error,
        );
        throw failure;
      },
    },
    connect: {
      ...common,
      run: ({ port }) =>
        new Promise((resolve, reject) => {
          connect(Number(port), '127.0.0.1', () => resolve({})).once('error', reject);
        }),
    },
    listen: {
      ...common,
      run: () => new Promise((resolve) => createServer().listen(0, () => resolve({}))),
    },
    resolve: {
      ...common,
      async run() {
        await lookup('localhost');
        return {};
      },
    },
    hang: {
      ...common,
      run() {
        for (;;);
      },
    },
  },
});
