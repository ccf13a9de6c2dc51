import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
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
    hang: {
      ...common,
      run() {
        for (;;);
      },
    },
  },
});
