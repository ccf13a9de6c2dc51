import { AppError } from '../../../../shared/errors.ts';
import type { Roles } from '../../../../shared/model/capability/role.ts';
import type { Settings } from '../../../../shared/model/settings.ts';
import type { PolicyFile } from '../../ports/workspace.ts';
import type { PolicyProject, PolicySettings } from './policy.ts';
import { NO_POLICY, type ProjectPolicy, toBrokenPolicy, toProjectPolicy } from './policy-file.ts';

/** The current policy: the host's limits, tightened by the policy file, and the user's choices. */
export interface Policy {
  project: PolicyProject;
  settings: PolicySettings;
  roles: Roles;
  /** Maximum bytes a tool may read of one file; null for the app's default. */
  maxReadBytes: number | null;
}

export interface PolicySource {
  /** The policy of the last refresh. */
  current(): Policy;
  /** What the policy file said at the last refresh. */
  projectPolicy(): ProjectPolicy;
  /** Reads the policy file and the user's choices again. Rejects when the choices cannot be read; then no call runs. */
  refresh(): Promise<void>;
}

export interface PolicySourceOptions {
  policyFile: PolicyFile;
  /** All tools, including those that this host does not offer. */
  tools: readonly { name: string }[] | { current(): readonly { name: string }[] };
  settings: () => Promise<Pick<Settings, 'tools' | 'allowedAs' | 'developerMode' | 'roles'>>;
  /** How this host handles writes, and whether developer mode is on. */
  host: (
    settings: Pick<Settings, 'developerMode'>,
  ) => Pick<PolicyProject, 'writes' | 'developerMode' | 'developerCalls'>;
  /** Called when the policy file changed. */
  onProjectPolicy?: (policy: ProjectPolicy) => void;
}

/** Creates a source that reads policy file and choices for each refresh, so that a change applies to the next call. */
export async function createPolicySource(options: PolicySourceOptions): Promise<PolicySource> {
  const { tools } = options;
  // Names of other programs' tools need not be known: see `toProjectPolicy`.
  const toolNames = ('current' in tools ? tools.current() : tools).map(({ name }) => name);
  let text: string | null | undefined;
  let projectPolicy = NO_POLICY;
  // Nothing is allowed before both were read.
  let policy: Policy = {
    project: {
      writes: 'refused',
      developerMode: false,
      closedFolders: [],
      broken: toBrokenPolicy('rules.unreadable', 'they were not read yet').broken,
    },
    settings: { tools: {} },
    roles: { assistant: 'viewer', mcp: 'viewer', api: 'viewer', providers: {} },
    maxReadBytes: null,
  };

  async function readPolicyFile(): Promise<void> {
    let now: string | null;
    let broken: ProjectPolicy | null = null;
    try {
      now = await options.policyFile.read();
    } catch (error) {
      const problem = error instanceof AppError ? error.message : 'it cannot be read';
      broken = toBrokenPolicy('rules.unreadable', problem);
      now = `\u0000${problem}`;
    }
    if (now === text) return;
    const isFirst = text === undefined;
    text = now;
    projectPolicy = broken ?? (now === null ? NO_POLICY : toProjectPolicy(now, toolNames));
    if (!isFirst || now !== null) options.onProjectPolicy?.(projectPolicy);
  }

  async function refresh(): Promise<void> {
    const [settings] = await Promise.all([options.settings(), readPolicyFile()]);
    const host = options.host(settings);
    const { closedFolders, tools, noDeveloperMode, allowedCommands, broken, maxReadBytes } = projectPolicy;
    policy = {
      project: {
        ...host,
        developerMode: host.developerMode && !noDeveloperMode,
        closedFolders,
        tools,
        allowedCommands: allowedCommands ?? undefined,
        broken,
      },
      settings: { tools: settings.tools, allowedAs: settings.allowedAs },
      roles: settings.roles,
      maxReadBytes,
    };
  }

  // The game opens anyway: each call refreshes, and is refused while this fails.
  await refresh().catch(() => undefined);
  return { current: () => policy, projectPolicy: () => projectPolicy, refresh };
}
