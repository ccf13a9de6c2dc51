import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import config from '../../.dependency-cruiser.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDERS = ['main', 'packages', 'preload', 'renderer', 'shared'];

/** A project with every folder, in which all imports are allowed. */
const PROJECT: Record<string, string> = {
  'shared/wire.ts': 'export const wire = 1;',
  'shared/script/syntax/scan.ts': 'export const scan = 1;',
  'shared/script/project-index/facts.ts': "import '../syntax/scan.ts'; export const facts = 1;",
  'shared/script/flow/walk.ts': "import '../project-index/facts.ts'; export const walk = 1;",
  'shared/script/story/graph.ts': "import '../flow/walk.ts'; export const graph = 1;",
  'shared/script/diagnostics/diagnose.ts': "import '../flow/walk.ts'; export const diagnose = 1;",
  'shared/contract.ts': "import { z } from 'zod'; import './wire.ts'; export const contract = z;",
  'preload/index.ts': "import 'electron'; import '../shared/wire.ts';",
  'main/core/ports/ports.ts': "import '../../../shared/contract.ts'; export const ports = 1;",
  'main/core/capability/tool.ts': 'export const tool = 1;',
  'main/core/proposal/draft.ts': "import '../capability/tool.ts'; export const draft = 1;",
  'main/core/app.ts': "import './agent/chat.ts'; import './ports/ports.ts'; import 'diff'; export const app = 1;",
  'main/core/agent/chat.ts': 'export const chat = 1;',
  'main/core/agent/queue/queue.ts': "import '../context/window.ts'; export const queue = 1;",
  'main/core/agent/context/window.ts': "import '../prompt/messages.ts'; export const window = 1;",
  'main/core/agent/prompt/messages.ts': "import '../session/log.ts'; export const messages = 1;",
  'main/core/agent/session/log.ts': 'export const log = 1;',
  'packages/provider-sdk/src/index.ts': "import 'ws'; import 'node:fs/promises'; export const sdk = 1;",
  'main/network/allowed-addresses.ts': "import '../../shared/contract.ts'; export const rule = 1;",
  'main/network/requests.ts': "import 'ws'; import './allowed-addresses.ts'; export const send = 1;",
  'main/tools/index.ts':
    "import '../core/app.ts'; import '../network/allowed-addresses.ts'; import '../../shared/contract.ts';",
  'main/node/files.ts': "import 'node:fs/promises'; import '../network/requests.ts'; import '../core/ports/ports.ts';",
  'main/compose.ts':
    "import './core/app.ts'; import './tools/index.ts'; import './node/files.ts'; export const compose = 1;",
  'main/cli.ts': "import 'node:util'; import './hosts/web/serve.ts';",
  'main/hosts/page/headers.ts': "import 'node:path';",
  'main/hosts/web/serve.ts':
    "import 'hono'; import 'node:http'; import '../page/headers.ts'; import '../../compose.ts';",
  'main/hosts/mcp/serve.ts': "import 'node:stream'; import '../../compose.ts';",
  'main/hosts/electron/main.ts': "import 'electron'; import '../page/headers.ts'; import '../../compose.ts';",
  'renderer/app.tsx':
    "import 'react'; import '../shared/contract.ts'; import './connect.ts'; import './shell/panes.tsx';",
  'renderer/api.ts': 'export const api = 1;',
  'renderer/connect.ts': "import './state/store.ts'; export const connect = 1;",
  'renderer/i18n/setup.ts': "import 'i18next'; export const i18n = 1;",
  'renderer/ui/button.tsx': "import '../i18n/setup.ts'; import 'react'; export const button = 1;",
  'renderer/state/navigation.ts': 'export const navigation = 1;',
  'renderer/state/store.ts':
    "import '../api.ts'; import '../ui/button.tsx'; import './navigation.ts'; export const store = 1;",
  'renderer/workflows/accept.ts': "import '../api.ts'; import '../state/store.ts'; export const accept = 1;",
  'renderer/chat/chat.tsx':
    "import '../workflows/accept.ts'; import '../state/store.ts'; import '../ui/button.tsx'; import './row.tsx'; export const chat = 1;",
  'renderer/chat/row.tsx': 'export interface Row { id: string }',
  'renderer/chat/rows/list.tsx': "import '../cards/card.tsx'; export const list = 1;",
  'renderer/chat/cards/card.tsx': 'export const card = 1;',
  'renderer/review/review.tsx': "import '../workflows/accept.ts'; import '../api.ts'; export const review = 1;",
  'renderer/shell/panes.tsx':
    "import '../chat/chat.tsx'; import '../review/review.tsx'; import '../state/store.ts'; export const panes = 1;",
  'renderer/app.test.ts': "import 'node:fs'; import '../main/core/app.ts';",
  'tests/support.ts': 'export const support = 1;',
};

/** Rule, file of the project, and its text instead. */
const VIOLATIONS: [string, string, string][] = [
  ['provider-sdk', 'packages/provider-sdk/src/index.ts', "import '../../../shared/wire.ts'; export const sdk = 1;"],
  ['shared', 'shared/contract.ts', "import 'diff';"],
  ['shared', 'shared/contract.ts', "import type {} from '../main/core/ports/ports.ts';"],
  ['preload', 'preload/index.ts', "import '../shared/contract.ts';"],
  ['core', 'main/core/ports/ports.ts', "import 'node:fs';"],
  ['core', 'main/core/ports/ports.ts', "import 'ws';"],
  ['core', 'main/core/ports/ports.ts', "import type {} from '../../node/files.ts';"],
  ['core', 'main/core/ports/ports.ts', "export const late = () => import('../../tools/index.ts');"],
  [
    'capability-without-proposal',
    'main/core/capability/tool.ts',
    "export const late = () => import('../proposal/draft.ts'); export const tool = 1;",
  ],
  [
    'nothing-below-imports-the-agent',
    'main/core/capability/tool.ts',
    "import '../agent/chat.ts'; export const tool = 1;",
  ],
  ['agent-session', 'main/core/agent/session/log.ts', "import type {} from '../queue/queue.ts';"],
  ['agent-prompt', 'main/core/agent/prompt/messages.ts', "import type {} from '../context/window.ts';"],
  ['agent-context', 'main/core/agent/context/window.ts', "import type {} from '../queue/queue.ts';"],
  ['chat-cards', 'renderer/chat/cards/card.tsx', "import type {} from '../rows/list.tsx';"],
  ['script-syntax', 'shared/script/syntax/scan.ts', "import type {} from '../project-index/facts.ts';"],
  ['script-index', 'shared/script/project-index/facts.ts', "import type {} from '../flow/walk.ts';"],
  ['script-flow', 'shared/script/flow/walk.ts', "import type {} from '../diagnostics/diagnose.ts';"],
  ['script-story', 'shared/script/story/graph.ts', "import type {} from '../diagnostics/diagnose.ts';"],
  ['tools', 'main/tools/index.ts', "import '../node/files.ts';"],
  ['tools', 'main/tools/index.ts', "import 'node:path';"],
  ['tools', 'main/tools/index.ts', "import '../network/requests.ts';"],
  ['network', 'main/network/requests.ts', "import '../node/files.ts'; export const send = 1;"],
  ['core', 'main/core/ports/ports.ts', "import '../../network/requests.ts';"],
  ['node', 'main/node/files.ts', "import '../core/app.ts';"],
  ['compose', 'main/compose.ts', "import 'node:fs'; export const compose = 1;"],
  ['compose', 'main/compose.ts', "import './hosts/page/headers.ts'; export const compose = 1;"],
  ['command-line', 'main/cli.ts', "import './core/app.ts';"],
  ['host-page', 'main/hosts/page/headers.ts', "import '../../core/app.ts';"],
  ['host-web', 'main/hosts/web/serve.ts', "import '../electron/main.ts';"],
  ['host-web', 'main/hosts/web/serve.ts', "import '../../node/files.ts';"],
  ['host-web', 'main/hosts/web/serve.ts', "import '../../network/requests.ts';"],
  ['host-mcp', 'main/hosts/mcp/serve.ts', "import '../web/serve.ts';"],
  ['host-mcp', 'main/hosts/mcp/serve.ts', "import '../../tools/index.ts';"],
  ['host-electron', 'main/hosts/electron/main.ts', "import '../web/serve.ts';"],
  ['host-electron', 'main/hosts/electron/main.ts', "import '../../tools/index.ts';"],
  ['renderer', 'renderer/app.tsx', "import '../main/core/ports/ports.ts';"],
  ['renderer', 'renderer/app.tsx', "import '../preload/index.ts';"],
  ['renderer-i18n', 'renderer/i18n/setup.ts', "import '../state/navigation.ts'; export const i18n = 1;"],
  ['renderer-ui', 'renderer/ui/button.tsx', "import '../state/navigation.ts'; export const button = 1;"],
  ['renderer-ui', 'renderer/ui/button.tsx', "import '../api.ts'; export const button = 1;"],
  ['renderer-state', 'renderer/state/store.ts', "import '../workflows/accept.ts'; export const store = 1;"],
  ['renderer-state', 'renderer/state/store.ts', "import type {} from '../chat/row.tsx'; export const store = 1;"],
  ['renderer-workflows', 'renderer/workflows/accept.ts', "import '../review/review.tsx'; export const accept = 1;"],
  ['renderer-area', 'renderer/chat/chat.tsx', "import '../review/review.tsx'; export const chat = 1;"],
  ['renderer-area', 'renderer/chat/chat.tsx', "export const late = () => import('../review/review.tsx');"],
  ['renderer-area', 'renderer/review/review.tsx', "import type {} from '../chat/row.tsx'; export const review = 1;"],
  ['renderer-area', 'renderer/review/review.tsx', "import '../shell/panes.tsx'; export const review = 1;"],
  ['renderer-area', 'renderer/review/review.tsx', "import '../app.tsx'; export const review = 1;"],
  ['renderer-shell', 'renderer/shell/panes.tsx', "import '../app.tsx'; export const panes = 1;"],
  ['renderer-navigation', 'renderer/state/navigation.ts', "import '../api.ts'; export const navigation = 1;"],
  ['renderer-events', 'renderer/shell/panes.tsx', "import '../connect.ts'; export const panes = 1;"],
  [
    'renderer-circle',
    'renderer/chat/row.tsx',
    "import type { chat } from './chat.tsx'; export interface Row { chat: typeof chat }",
  ],
  ['virtual-rows-once', 'renderer/app.tsx', "import 'virtua';"],
  ['circle', 'shared/wire.ts', "import './contract.ts'; export const wire = 1;"],
  ['circle-of-types', 'shared/wire.ts', "import type {} from './contract.ts'; export const wire = 1;"],
  ['renderer-machine', 'renderer/app.tsx', "import 'node:fs';"],
  ['electron-only-in-its-host', 'main/node/files.ts', "import 'electron';"],
  ['electron-only-in-its-host', 'renderer/app.tsx', "import 'electron';"],
  ['product-without-tests', 'main/node/files.ts', "import '../../tests/support.ts';"],
  ['product-without-tests', 'renderer/app.tsx', "import './app.test.ts';"],
  ['lost', 'main/node/files.ts', "import './nowhere.ts';"],
];

/** Rules on circles are tried in a project of their own: another violation could close the same circle. */
const isOnCircles = (rule: string) => rule.includes('circle');

let parent: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'walls-'));
});
afterAll(() => rm(parent, { recursive: true, force: true }));

async function findViolations(folder: string): Promise<{ rule: string; from: string; to: string }[]> {
  const { output } = await cruise(FOLDERS, { ...config.options, ruleSet: config, validate: true, baseDir: folder });
  return (output as ICruiseResult).summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }));
}

/** Creates the project with other texts of some files, and returns its violations. */
async function build(changes: Record<string, string>) {
  const root = await mkdtemp(join(parent, 'project-'));
  for (const [path, text] of Object.entries({ ...PROJECT, ...changes })) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'), 'junction');
  return findViolations(root);
}

/**
 * Puts violations into few projects, because a project costs a pass of dependency-cruiser. No project changes a file twice: what
 * is reported in a file is due to its text.
 */
function toProjects(violations: readonly (typeof VIOLATIONS)[number][]): Record<string, string>[] {
  const projects: Record<string, string>[] = [];
  for (const [, path, text] of violations) {
    const free = projects.find((project) => !(path in project));
    if (free) free[path] = text;
    else projects.push({ [path]: text });
  }
  return projects;
}

describe('import rules', () => {
  it('hold in this project', async () => {
    expect(await findViolations(ROOT)).toEqual([]);
    // Reads every source file: slow on a busy machine.
  }, 120_000);

  it('allow all permitted imports', async () => {
    expect(await build({})).toEqual([]);
  });

  describe('when broken', () => {
    /** Violation → what was reported in its file. */
    const reported = new Map<string, string[]>();
    beforeAll(async () => {
      const shared = toProjects(VIOLATIONS.filter(([rule]) => !isOnCircles(rule)));
      const alone = VIOLATIONS.filter(([rule]) => isOnCircles(rule)).flatMap((violation) => toProjects([violation]));
      for (const changes of [...shared, ...alone]) {
        const found = await build(changes);
        for (const [path, text] of Object.entries(changes)) {
          // A circle is reported at any one of its files.
          const own = found.filter(({ rule, from }) => from === path || isOnCircles(rule));
          reported.set(
            `${path} ${text}`,
            own.map(({ rule }) => rule),
          );
        }
      }
    });

    it.each(VIOLATIONS)('%s rejects in %s: %s', (rule, path, text) => {
      expect(reported.get(`${path} ${text}`)).toContain(rule);
    });
  });

  it('are each covered by a violation', () => {
    const tried = new Set(VIOLATIONS.map(([rule]) => rule));
    expect(config.forbidden.map((rule) => rule.name).sort()).toEqual([...tried].sort());
  });
});
