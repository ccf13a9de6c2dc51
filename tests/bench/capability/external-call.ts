import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { createAudit } from '../../../main/core/capability/audit/audit.ts';
import { createCapabilitySet } from '../../../main/core/capability/catalog/capability-set.ts';
import { followProviders } from '../../../main/core/capability/external/follow-providers.ts';
import type { PolicySettings } from '../../../main/core/capability/policy/policy.ts';
import { createToolRunner } from '../../../main/core/capability/runner/run-tool.ts';
import { createMcpServers } from '../../../main/node/providers/mcp/mcp-servers.ts';
import { createProviderSecrets } from '../../../main/node/providers/provider-secrets.ts';
import { type McpServer, toConsentText } from '../../../shared/model/external/mcp-server.ts';
import { EXTERNAL_PORTS } from '../../support/external-source.ts';
import { type Comparison, compare, time } from '../compare.ts';

const SERVER = path.resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const NAME = 'ext_everything_echo';
const EVERYTHING: McpServer = {
  ...{ id: 'everything', name: 'everything', enabled: true, agreed: null },
  transport: { type: 'stdio', command: process.execPath, args: [SERVER], env: [] },
};

/** Measures a call of a tool of another program through the whole pipeline, against the bare client of the protocol. */
export async function benchExternalCall(): Promise<Comparison> {
  const data = await mkdtemp(path.join(tmpdir(), 'bench-external-'));
  const clock = { now: Date.now, id: () => crypto.randomUUID() };
  const servers = createMcpServers({
    ...{ version: '1.0.0', data, secrets: createProviderSecrets(null), environment: process.env },
  });
  const set = createCapabilitySet([]);
  const providers = followProviders([servers], { set, clock });
  const bare = new Client({ name: 'bench', version: '1.0.0' });
  const settings: PolicySettings = { tools: { [NAME]: 'allow' } };
  const runner = createToolRunner({
    ...{ tools: set, ports: EXTERNAL_PORTS, locale: () => 'en' as const },
    // The rate limit counts by this clock: a call a minute.
    clock: { now: () => performance.now() * 60_000, id: clock.id },
    audit: createAudit({ append: async () => undefined, ready: async () => ({ setAside: null }) }),
    caller: () => ({ type: 'model', id: 'assistant', role: 'owner' }),
    policy: () => ({
      project: { writes: 'drafted', developerMode: false, closedFolders: [] },
      settings,
      roles: { providers: { everything: 'editor' } },
    }),
  });
  try {
    servers.follow([{ ...EVERYTHING, agreed: toConsentText(EVERYTHING) }]);
    await bare.connect(new StdioClientTransport({ command: process.execPath, args: [SERVER], stderr: 'ignore' }));
    while (set.current().length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    // What the user allowed is what the program declares.
    const declaration = await set
      .current()
      .find(({ name }) => name === NAME)
      ?.declaration?.();
    if (declaration) settings.allowedAs = { [NAME]: declaration };
    const input = { message: '海边的风很大' };
    const { signal } = new AbortController();
    return await compare({
      name: 'a call of a tool of another program',
      goal: { ratio: 1.3, plusMs: 1 },
      against: 'the bare client of the protocol',
      rounds: 200,
      ours: () =>
        time(async () => {
          const outcome = await runner.run({ id: 'c', name: NAME, input, mode: 'act', trace: 't', signal });
          if (!outcome.ok) throw new Error(outcome.error?.message);
        }),
      theirs: () => time(() => bare.callTool({ name: 'echo', arguments: input })),
    });
  } finally {
    providers.dispose();
    await bare.close();
    await servers.dispose();
    await rm(data, { recursive: true, force: true });
  }
}
