import { AppError } from '../../../shared/errors.ts';
import type { Commands, Reader, Snapshots, TextSearch } from '../ports.ts';
import { checkSpelling } from './check-spelling.ts';
import { isClosed } from './closed-folders.ts';
import type { Tool, ToolChange, ToolPorts, ToolWriter, ToolWritten } from './define-tool.ts';
import { requireOpen, requireWritable, toClosedError } from './writable-path.ts';

/** What a call changed, as far as it got. */
export interface CallEffects {
  files: Set<string>;
  commands: string[];
  /** Of the last command that was waited for. */
  exitCode?: number;
}

/** What the game's rules leave of the ports. */
export interface PortLimits {
  closedFolders: readonly string[];
  /** Bytes; null for the reader's own limit. */
  maxReadBytes: number | null;
}

export interface CallScope {
  signal: AbortSignal;
  effects: CallEffects;
  limits: PortLimits;
}

/** True when everything the tool needs is there in this host. */
export function hasPorts(tool: Tool, ports: Partial<ToolPorts>): boolean {
  return tool.needs.every((name) => ports[name] !== undefined);
}

/**
 * The ports a tool declared and no others, for one call. Closed folders are not there for its reader, its writer and its
 * snapshots, whatever path leads to them. The writer stops working when the call does: a handler that goes on after Stop
 * or its deadline changes nothing any more.
 */
export function grantPorts(tool: Tool, ports: Partial<ToolPorts>, scope: CallScope): ToolPorts {
  const granted: Partial<Record<keyof ToolPorts, unknown>> = {};
  for (const name of tool.needs) granted[name] = ports[name];
  const { reader, writer, snapshots } = ports;
  if (granted.reader !== undefined && reader) granted.reader = toLimitedReader(reader, scope.limits);
  if (granted.snapshots !== undefined && snapshots) granted.snapshots = toLimitedSnapshots(snapshots, scope.limits);
  if (granted.writer !== undefined && writer) {
    if (!tool.risk.snapshot)
      throw new AppError('E_INTERNAL', `${tool.name} wants to write without declaring snapshots.`);
    granted.writer = toWatchedWriter(writer, scope, reader);
  }
  if (granted.commands !== undefined && ports.commands) granted.commands = toWatchedCommands(ports.commands, scope);
  return Object.freeze(granted) as ToolPorts;
}

function toLimitedReader(reader: Reader, { closedFolders, maxReadBytes }: PortLimits): Reader {
  if (closedFolders.length === 0 && maxReadBytes === null) return reader;
  const toLimit = (wanted: number | undefined) =>
    maxReadBytes === null ? wanted : Math.min(wanted ?? maxReadBytes, maxReadBytes);
  return {
    ...(reader.locate && { locate: reader.locate }),
    async list(path, options) {
      await requireOpen(path, closedFolders, reader);
      const listed = await reader.list(path, options);
      if (closedFolders.length === 0) return listed;
      const hidden: string[] = [];
      for (const entry of listed) {
        if (!entry.isDirectory || hidden.some((folder) => entry.path.startsWith(folder))) continue;
        // A folder may be a link into a closed one.
        await requireOpen(entry.path, closedFolders, reader).catch(() => hidden.push(`${entry.path}/`));
      }
      return listed.filter(
        (entry) =>
          !isClosed(entry.path, closedFolders) && !hidden.some((folder) => `${entry.path}/`.startsWith(folder)),
      );
    },
    async stat(path) {
      await requireOpen(path, closedFolders, reader);
      return reader.stat(path);
    },
    async read(path, options = {}) {
      await requireOpen(path, closedFolders, reader);
      const maxBytes = toLimit(options.maxBytes);
      return reader.read(path, { ...options, ...(maxBytes !== undefined && { maxBytes }) });
    },
    async search(request: TextSearch) {
      await requireOpen(request.path, closedFolders, reader);
      // What may not be read is searched as if it were not there; a single file may be a link out of the open.
      const instead = new Map(request.instead);
      const { path: start, signal } = request;
      const info = await reader.stat(start);
      const found = info?.isDirectory ? await reader.list(start, { recursive: true, signal }) : info ? [info] : [];
      for (const { path, bytes, isDirectory } of found) {
        if (isDirectory) continue;
        const isOpen = await requireOpen(path, closedFolders, reader).then(
          () => true,
          () => false,
        );
        if (!isOpen || (maxReadBytes !== null && bytes > maxReadBytes)) instead.set(path, null);
      }
      return reader.search({ ...request, instead });
    },
  };
}

function toLimitedSnapshots(snapshots: Snapshots, { closedFolders }: PortLimits): Snapshots {
  if (closedFolders.length === 0) return snapshots;
  return {
    ...snapshots,
    async list({ limit, ...filter } = {}) {
      const listed = await snapshots.list(filter);
      const open = listed.filter(({ path }) => !isClosed(path, closedFolders));
      return limit === undefined ? open : open.slice(0, limit);
    },
    async read(id) {
      const kept = await snapshots.read(id);
      if (isClosed(kept.snapshot.path, closedFolders)) throw toClosedError(kept.snapshot.path);
      return kept;
    },
  };
}

function toWatchedWriter(writer: ToolWriter, scope: CallScope, reader: Reader | undefined): ToolWriter {
  const { signal, effects, limits } = scope;
  const prepare = async (changes: readonly ToolChange[]): Promise<void> => {
    const paths = changes.map(({ path }) => path);
    for (const { path, text, base } of changes) {
      await requireOpen(path, limits.closedFolders, reader);
      await requireWritable(path, reader);
      if (base === null && text !== null && reader) await checkSpelling(reader, path, paths);
    }
    requireRunning(signal);
  };
  /** What reached the disk can be taken back, or the declaration was a lie: then the log has to say so. */
  const note = (path: string, written: ToolWritten): void => {
    if (written.repeated === true) return;
    effects.files.add(path);
    if (written.applied && written.snapshotId === undefined)
      throw new AppError('E_INTERNAL', `${path} was written and no snapshot was taken.`);
  };
  return {
    async rehearse(change) {
      // What the write would be refused for is said before anybody looks at its diff.
      await prepare([change]);
      await writer.rehearse?.(change);
    },
    async write(change) {
      await prepare([change]);
      const written = await writer.write(change);
      note(change.path, written);
      return written;
    },
    async writeAll(changes) {
      await prepare(changes);
      const written = await writer.writeAll(changes);
      for (const [index, { path }] of changes.entries()) {
        const one = written[index];
        if (one) note(path, one);
      }
      return written;
    },
  };
}

function toWatchedCommands(commands: Commands, { signal, effects }: CallScope): Commands {
  return {
    ...commands,
    async run(request) {
      requireRunning(signal);
      // The script is the game's and was shown; what is handed to it is the caller's and stays out of the log.
      const { name, command, args } = request;
      effects.commands.push(`${name}: ${command}${args.length > 0 ? ` [${args.length} arguments]` : ''}`);
      const task = await commands.run(request);
      if (!task.running && task.exitCode !== null) effects.exitCode = task.exitCode;
      return task;
    },
  };
}

function requireRunning(signal: AbortSignal): void {
  if (signal.aborted) throw new AppError('E_TIMEOUT', 'The call had already ended. Nothing was changed.');
}
