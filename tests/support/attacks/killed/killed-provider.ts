import { appendFileSync } from 'node:fs';
import { createProvider } from '../../../../packages/provider-sdk/src/index.ts';

/** A provider whose action writes a line to a file each time that it runs. Its process may be killed at any moment. */
const [log = '', url = '', token = ''] = process.argv.slice(2);

const provider = createProvider({
  id: 'counter',
  name: 'Counter',
  capabilities: {
    add: {
      ...{ type: 'action', name: 'Add', description: 'Writes a line.', parameters: { type: 'object' } },
      risk: { level: 'low', reason: 'A line of a test.' },
      async run({ key, wait }) {
        await new Promise((resolve) => setTimeout(resolve, Number(wait)));
        appendFileSync(log, `${key}\n`);
        return { key: String(key) };
      },
    },
  },
});

await provider.connect({ url, token }).closed;
