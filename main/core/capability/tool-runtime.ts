/** Facts about this host for `get_runtime_info`. Contains no secret. */
export interface ToolRuntime {
  /** The project's folder: the absolute path if the caller supplied it, only the name if a page or a model receives it. */
  projectRoot: string;
  server: { name: string; version: string };
  /** Names and versions of the tools offered in this host. */
  tools(): { name: string; version: string }[];
  /** True if commands and a browser are available. */
  developerMode(): boolean;
  /** Folders that the policy file closes. */
  closedFolders(): readonly string[];
  /** Limits of the policy file on scripts (names) and on reading (bytes); absent without such limits. */
  leaves?(): { allowedCommands?: readonly string[] | undefined; maxReadBytes: number | null };
}
