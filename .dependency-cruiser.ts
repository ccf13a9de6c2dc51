import type { IConfiguration, IForbiddenRuleType } from 'dependency-cruiser';

/** Stands for Node's own modules in a list of what is allowed. */
const BUILTIN = 'node:*';
const TESTS = '\\.test\\.tsx?$';

/**
 * Who may import whom. A folder may always import itself; tests may import anything. Each wall lists what may be behind it, so
 * that a new library or folder is refused until it is added here.
 */
const wall = (name: string, folder: string, allowed: string[], comment: string): IForbiddenRuleType => ({
  name,
  comment,
  severity: 'error',
  from: { path: `^${folder}`, pathNot: TESTS },
  to: {
    pathNot: [`^${folder}`, ...allowed.filter((entry) => entry !== BUILTIN)],
    ...(allowed.includes(BUILTIN) && { dependencyTypesNot: ['core'] }),
  },
});

/** Files of `folder` may not import from the folders `above` beside it, which import from it. */
const below = (name: string, folder: string, above: string): IForbiddenRuleType => ({
  name,
  comment: `${folder} is used by ${above.replaceAll('|', ', ')}: what both need lies in the lower folder.`,
  severity: 'error',
  from: { path: `^${folder}/`, pathNot: TESTS },
  to: { path: `^${folder.slice(0, folder.lastIndexOf('/'))}/(${above})/` },
});

const packages = (...names: string[]): string[] => names.map((name) => `(^|/)node_modules/${name}/`);

const SHARED = '^shared/';
const PURE = packages('zod', 'diff', 'minisearch', 'semver', 'ajv');
const ELECTRON = packages('electron');
const ANY_PACKAGE = '(^|/)node_modules/';
const APP = '^main/core/(app\\.ts$|ports/)';
const COMPOSE =
  '^main/(compose|compose-capabilities|compose-capability-check|compose-check|compose-stages|compose-mcp|compose-mcp-stage|compose-playtest|compose-replay|app-version)\\.ts$';

/** The rules of `main/network/`, without the requests. */
const ADDRESSES = '^main/network/allowed-addresses\\.ts$';

const API = '^renderer/api\\.ts$';
const I18N = '^renderer/i18n/';
const UI = '^renderer/ui/';
const STATE = '^renderer/state/';
const WORKFLOWS = '^renderer/workflows/';
/** Folders of the page that are not areas. */
const RENDERER_LAYERS = '(?:i18n|ui|state|workflows|shell)/';

const config = {
  forbidden: [
    wall(
      'shared',
      'shared/',
      packages('zod'),
      'shared/ defines the contract and the language; it imports zod and nothing else.',
    ),
    wall('preload', 'preload/', ['^shared/wire\\.ts$', ...ELECTRON], 'The preload is shared/wire.ts over electron.'),
    wall(
      'core',
      'main/core/',
      [SHARED, ...PURE],
      'The core does not depend on the machine: it imports shared/, zod and pure libraries only.',
    ),
    {
      name: 'capability-without-proposal',
      comment: 'Proposals import the policy of tools; tool calls do not import proposals.',
      severity: 'error',
      from: { path: '^main/core/capability/', pathNot: TESTS },
      to: { path: '^main/core/proposal/' },
    },
    {
      name: 'nothing-below-imports-the-agent',
      comment: 'The agent uses the other rooms of the core; only what composes a game knows it.',
      severity: 'error',
      from: { path: '^main/(core|tools)/', pathNot: [TESTS, '^main/core/(agent/|open-project\\.ts$|app\\.ts$)'] },
      to: { path: '^main/core/agent/' },
    },
    // The rooms of large folders, where one is below the other. `session` and `loop` still share the types of a turn.
    below('agent-session', 'main/core/agent/session', 'context|helper|mentions|practice|prompt|queue|title'),
    below('agent-prompt', 'main/core/agent/prompt', 'context|helper|loop|mentions|practice|queue|title'),
    below('agent-context', 'main/core/agent/context', 'helper|loop|mentions|practice|queue|title'),
    below('chat-cards', 'renderer/chat/cards', 'composer|rows'),
    below('script-syntax', 'shared/script/syntax', 'flow|language-features|project-index|references|story'),
    below('script-index', 'shared/script/project-index', 'flow|language-features|references|story'),
    below('script-flow', 'shared/script/flow', 'diagnostics|language-features|story'),
    below('script-story', 'shared/script/story', 'diagnostics|language-features'),
    wall(
      'network',
      'main/network/',
      [SHARED, ...packages('ws')],
      'Which addresses the app may call depends on no caller.',
    ),
    wall(
      'tools',
      'main/tools/',
      [SHARED, '^main/core/', ADDRESSES, ...PURE],
      'Tools import the core and shared/; they receive their ports as arguments.',
    ),
    wall(
      'node',
      'main/node/',
      [SHARED, '^main/core/ports/', '^main/network/', BUILTIN, ANY_PACKAGE],
      'node/ uses the machine and implements core/ports/; it imports nothing else of the core.',
    ),
    wall(
      'compose',
      COMPOSE.slice(1),
      [SHARED, COMPOSE, '^main/(core|tools|node)/', '^package\\.json$'],
      'compose.ts creates the app from ports; it does not use the machine itself.',
    ),
    wall(
      'command-line',
      'main/cli(/|\\.ts$)',
      [SHARED, COMPOSE, '^main/hosts/(web|mcp)/', '^main/node/app-data/keep-compiled-code\\.ts$', BUILTIN],
      'The command line starts a host, or a check.',
    ),
    wall(
      'host-page',
      'main/hosts/page/',
      [BUILTIN, ...packages('mime')],
      'The bundle and its headers, which several hosts serve.',
    ),
    wall(
      'host-web',
      'main/hosts/web/',
      [SHARED, APP, COMPOSE, ADDRESSES, '^main/hosts/page/', BUILTIN, ...packages('hono', '@hono/node-server', 'open')],
      'A host passes messages: it imports the app, compose and the page, and no other host.',
    ),
    wall(
      'host-mcp',
      'main/hosts/mcp/',
      [SHARED, APP, COMPOSE, BUILTIN, ...packages('@modelcontextprotocol/sdk')],
      'A host passes messages: it imports compose and the protocol, and no other host.',
    ),
    wall(
      'host-electron',
      'main/hosts/electron/',
      [
        SHARED,
        APP,
        COMPOSE,
        ADDRESSES,
        // Where the app's folders are, before anything else is loaded.
        '^main/node/app-data/user-data\\.ts$',
        // The app's log is redacted like the audit log.
        '^main/core/capability/audit/redact\\.ts$',
        '^main/hosts/page/',
        BUILTIN,
        ...ELECTRON,
        ...packages('zod', 'electron-log', 'electron-updater', 'electron-context-menu'),
      ],
      'A host passes messages: it imports the app, compose and the page, and no other host.',
    ),
    wall(
      'provider-sdk',
      'packages/provider-sdk/',
      [BUILTIN, ...packages('ws', 'ajv')],
      'The SDK is a package of its own: of the app it has the generated schemas and nothing else.',
    ),
    wall(
      'renderer',
      'renderer/',
      [SHARED, ANY_PACKAGE],
      'The page imports shared/ and libraries for the browser, never main/.',
    ),
    wall('renderer-i18n', 'renderer/i18n/', [SHARED, ANY_PACKAGE], 'The texts of the page depend on no part of it.'),
    wall(
      'renderer-ui',
      'renderer/ui/',
      [SHARED, I18N, ANY_PACKAGE],
      'A widget receives its data as props: it imports no store and does not call the app.',
    ),
    wall(
      'renderer-state',
      'renderer/state/',
      [SHARED, I18N, API, UI, ANY_PACKAGE],
      'Stores import each other and the client of the app, never components that show them.',
    ),
    wall(
      'renderer-workflows',
      'renderer/workflows/',
      [SHARED, I18N, API, UI, STATE, ANY_PACKAGE],
      'A workflow is an action that spans areas: it works on stores, and areas call it.',
    ),
    {
      name: 'renderer-area',
      comment: 'An area imports no other area: they share stores, workflows and widgets. The shell composes them.',
      severity: 'error',
      from: { path: `^renderer/(?!${RENDERER_LAYERS})([^/]+)/`, pathNot: TESTS },
      to: { path: '^renderer/', pathNot: ['^renderer/$1/', API, I18N, UI, STATE, WORKFLOWS] },
    },
    wall(
      'renderer-shell',
      'renderer/shell/',
      [SHARED, API, '^renderer/[^/]+/', ANY_PACKAGE],
      'The shell composes the areas; the root of the page composes the shell.',
    ),
    {
      name: 'renderer-navigation',
      comment: 'Every layer may switch the view: the store of the navigation depends on no other.',
      severity: 'error',
      from: { path: '^renderer/state/navigation\\.ts$' },
      to: { path: '^renderer/' },
    },
    {
      name: 'renderer-events',
      comment: 'The page connects to the app in renderer/connect.ts, which the root calls once.',
      severity: 'error',
      from: { path: '^renderer/', pathNot: '^renderer/app\\.tsx$' },
      to: { path: '^renderer/connect\\.ts$' },
    },
    {
      name: 'renderer-circle',
      comment: 'In the page types have no cycles either.',
      severity: 'error',
      from: { path: '^renderer/', pathNot: TESTS },
      to: { circular: true, path: '^renderer/' },
    },
    {
      name: 'renderer-machine',
      comment: 'The page runs without Node.',
      severity: 'error',
      from: { path: '^renderer/', pathNot: TESTS },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'electron-only-in-its-host',
      comment: 'Only hosts/electron and the preload import Electron.',
      severity: 'error',
      from: { path: '^(main|renderer|shared)/', pathNot: '^main/hosts/electron/' },
      to: { path: ELECTRON },
    },
    {
      name: 'virtual-rows-once',
      comment: 'Long lists go through renderer/ui/list/virtual-rows.tsx, so that one library renders them.',
      severity: 'error',
      from: { path: '^renderer/', pathNot: '^renderer/ui/list/virtual-rows\\.tsx$' },
      to: { path: packages('virtua', '@tanstack/(react|virtual)[^/]*') },
    },
    {
      name: 'product-without-tests',
      comment: 'Code that ships imports no test and no script.',
      severity: 'error',
      from: { path: '^(main|preload|renderer|shared)/', pathNot: TESTS },
      to: { path: [TESTS, '^(tests|scripts|assets)/'] },
    },
    {
      name: 'circle',
      comment: 'Two files that import each other are merged, or what they share moves to a third file.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'circle-of-types',
      comment: 'Types that two files need from each other belong in a third file.',
      severity: 'error',
      from: { path: '^(main|preload|shared)/' },
      to: { circular: true },
    },
    {
      name: 'lost',
      comment: 'Every import must resolve.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // Tests may import anything, so their imports are not read.
    doNotFollow: { path: ['node_modules', TESTS] },
    exclude: { path: '(^|/)node_modules/\\.|^out/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
} satisfies IConfiguration;

export default config;
