import { z } from 'zod';
import { toolText } from '../../shared/i18n/tools.ts';
import { CREDENTIAL_DIRS, FORBIDDEN_DIRS } from '../../shared/paths/portable-name.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { CONTRACT_VERSION } from '../core/capability/runner/envelope.ts';
import { MAX_TEXT_BYTES } from '../core/proposal/text-change.ts';
import { SCRIPT_NAMES } from './support/game-script.ts';
import { readTool } from './support/tool-presets.ts';

const BROWSER_HOSTS = ['localhost', '127.0.0.1'];
export const SCREENSHOT_FOLDER = '.webgal_agent/screenshots';

export const getRuntimeInfo = defineTool({
  ...readTool('get_runtime_info'),
  capability: 'app.runtime.read',
  version: '1.0.0',
  description:
    'Tells where it runs: the project folder, how many earlier texts are kept, what is off limits, how large a file may ' +
    'be, which tools are offered and in which version, and whether scripts and a browser can be used.',
  input: z.strictObject({}),
  output: z.object({
    projectRoot: z.string(),
    snapshotRetention: z.int().min(0),
    sandbox: z.object({
      forbiddenDirs: z.array(z.string()),
      maxReadBytes: z.int().min(1),
      textEncoding: z.enum(['utf-8', 'utf-16', 'ascii']),
    }),
    execution: z
      .object({
        enabled: z.literal(true),
        allowedCommands: z.array(z.string()),
        timeoutMs: z.int().min(1),
        workingDir: z.string().optional(),
      })
      .optional(),
    browser: z
      .object({
        enabled: z.literal(true),
        allowedHosts: z.array(z.string()),
        timeoutMs: z.int().min(1),
        screenshotDir: z.string().optional(),
      })
      .optional(),
    tools: z.array(z.string()),
    toolVersions: z.record(z.string(), z.string()).optional(),
    contractVersion: z.string().optional(),
    server: z.object({ name: z.string(), version: z.string().regex(/^\d+\.\d+\.\d+$/) }),
  }),
  // Reads nothing of the game, so it also works while the policy file is broken.
  permissions: [],
  rateLimit: 120,
  timeout: 10_000,
  examples: [{}],
  needs: ['runtime', 'snapshots', 'commands', 'browser'],
  summarize: () => toolText('get_runtime_info.summary'),
  paths: () => [],
  async handler(_, { runtime, snapshots, commands, browser }) {
    const { projectRoot, server } = runtime;
    const tools = runtime.tools();
    const { allowedCommands, maxReadBytes } = runtime.leaves?.() ?? { maxReadBytes: null };
    const offers = (name: string) => tools.some((tool) => tool.name === name);
    return {
      projectRoot,
      snapshotRetention: snapshots.retention,
      sandbox: {
        forbiddenDirs: [...new Set([...FORBIDDEN_DIRS, ...CREDENTIAL_DIRS, ...runtime.closedFolders()])],
        maxReadBytes: Math.min(MAX_TEXT_BYTES, maxReadBytes ?? MAX_TEXT_BYTES),
        textEncoding: 'utf-8' as const,
      },
      ...(offers('execute_command') && {
        execution: {
          enabled: true as const,
          allowedCommands: SCRIPT_NAMES.filter((name) => allowedCommands?.includes(name) ?? true),
          timeoutMs: commands.timeout,
          workingDir: projectRoot,
        },
      }),
      ...(offers('browser_action') && {
        browser: {
          enabled: true as const,
          allowedHosts: BROWSER_HOSTS,
          timeoutMs: browser.timeout,
          screenshotDir: SCREENSHOT_FOLDER,
        },
      }),
      tools: tools.map((tool) => tool.name),
      toolVersions: Object.fromEntries(tools.map((tool) => [tool.name, tool.version])),
      contractVersion: CONTRACT_VERSION,
      // A build between two releases has a longer version; the contract allows three numbers.
      server: { name: server.name, version: /^\d+\.\d+\.\d+/.exec(server.version)?.[0] ?? '0.0.0' },
    };
  },
});
