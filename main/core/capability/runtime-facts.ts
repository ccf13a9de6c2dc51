import type { PolicySource } from './policy/policy-source.ts';
import type { ToolRuntime } from './tool-runtime.ts';

/** Facts of this host for `get_runtime_info`. */
export function createRuntime({
  folder,
  version,
  policy,
  offered,
}: {
  folder: string;
  version: string;
  policy: PolicySource;
  offered: ToolRuntime['tools'];
}): ToolRuntime {
  return {
    // Tool results are sent to the model service: include the folder's name, not its path on the user's disk.
    projectRoot: folder,
    server: { name: 'webgal-agent', version },
    tools: offered,
    developerMode: () => policy.current().project.developerMode,
    closedFolders: () => policy.current().project.closedFolders,
    leaves() {
      const { project, maxReadBytes } = policy.current();
      return { allowedCommands: project.allowedCommands, maxReadBytes };
    },
  };
}
