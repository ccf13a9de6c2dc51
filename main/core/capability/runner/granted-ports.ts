import { AppError } from '../../../../shared/errors.ts';
import type { Commands } from '../../ports/commands.ts';
import type { Reader, TextSearch } from '../../ports/reader.ts';
import type { Snapshots } from '../../ports/writer.ts';
import type { Tool, ToolChange, ToolPorts, ToolWriter, ToolWritten } from '../define-tool.ts';
import { isClosed } from '../policy/closed-folders.ts';
import { requireOpen, requireWritable, toClosedError } from '../policy/writable-path.ts';
import { refuseCaseTwins } from './refuse-case-twins.ts';

/** The changes made by a call so far. */
export interface CallEffects {
  files: Set<string>;
  commands: string[];
  /** Exit code of the last awaited command. */
  exitCode?: number;
}

/** Limits of the policy file on ports. */
export interface PortLimits {
  closedFolders: readonly string[];
  /** In bytes; null for the reader's default. */
  maxReadBytes: number | null;
}

export interface CallScope {
  signal: AbortSignal;
  effects: CallEffects;
  limits: PortLimits;
}

/** Returns true if this host has all ports that the tool needs. */
export function hasPorts(tool: Tool, ports: Partial<ToolPorts>): boolean {
  return tool.needs.every((name) => ports[name] !== undefined);
}

/**
 * Returns the declared ports of a tool for one call. Closed folders do not exist for its reader, writer and snapshots, whatever
 * path leads to them. The writer is revoked when the call ends, so a handler that runs past a stop or timeout writes nothing.
 */
export function grantPorts(tool: Tool, ports: Partial<ToolPorts>, scope: CallScope): ToolPorts {
  const granted: Partial<Record<keyof ToolPorts, unknown>> = {};
  for (const name of tool.needs) granted[name] = ports[name];
  const { reader, writer, snapshots } = ports;
  if (granted.reader !== undefined && reader) granted.reader = toLimitedReader(reader, scope.limits);
  if (granted.snapshots !== undefined && snapshots) granted.snapshots = toLimitedSnapshots(snapshots, scope.limits);
  if (granted.writer !== undefined && writer) {
    if (!tool.risk.snapshot) throw new AppError('E_INTERNAL', `${tool.name} writes without declaring snapshots.`);
    granted.writer = toWatchedWriter(writer, scope, reader);
  }
  if (granted.commands !== undefined && ports.commands) granted.commands = toWatchedCommands(ports.commands, scope);
  return Object.freeze(granted) as ToolPorts;
}

const limitedReaders = new WeakMap<Reader, { key: string; reader: Reader }>();

/** Returns the same reader for the same limits, because caches of a game are keyed by its reader. */
export function toLimitedReader(reader: Reader, limits: PortLimits): Reader {
  const { closedFolders, maxReadBytes } = limits;
  if (closedFolders.length === 0 && maxReadBytes === null) return reader;
  const key = JSON.stringify([closedFolders, maxReadBytes]);
  const known = limitedReaders.get(reader);
  if (known?.key === key) return known.reader;
  const limited = createLimitedReader(reader, limits);
  limitedReaders.set(reader, { key, reader: limited });
  return limited;
}

function createLimitedReader(reader: Reader, { closedFolders, maxReadBytes }: PortLimits): Reader {
  const toLimit = (wanted: number | undefined) =>
    maxReadBytes === null ? wanted : Math.min(wanted ?? maxReadBytes, maxReadBytes);
  return {
    ...(reader.locate && { locate: reader.locate }),
    ...(reader.changes && {
      // Changes are not available in a game with links, so each path is the real one.
      async changes(since: number | null) {
        const found = (await reader.changes?.(since)) ?? null;
        const changes = found?.changes?.filter(({ path }) => !isClosed(path, closedFolders)) ?? null;
        return found && { now: found.now, changes };
      },
    }),
    async list(path, options) {
      await requireOpen(path, closedFolders, reader);
      const listed = await reader.list(path, options);
      if (closedFolders.length === 0) return listed;
      const hidden: string[] = [];
      for (const entry of listed) {
        if (!entry.isDirectory || hidden.some((folder) => entry.path.startsWith(folder))) continue;
        // A folder may be a link into a closed folder.
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
      // Unreadable files are excluded from the search; a single file may be a link into a closed folder.
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
      if (base === null && text !== null && reader) await refuseCaseTwins(reader, path, paths);
    }
    requireRunning(signal);
  };
  /** Records a write, and whether it can be undone as the tool declares. */
  const note = (path: string, written: ToolWritten): void => {
    if (written.repeated === true) return;
    effects.files.add(path);
    if (written.applied && written.snapshotId === undefined)
      throw new AppError('E_INTERNAL', `${path} was written and no snapshot was taken.`);
  };
  return {
    async recordDryRun(change) {
      // Reasons for refusal are reported before the user reviews the diff.
      await prepare([change]);
      await writer.recordDryRun?.(change);
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
      // The script belongs to the game and was shown; its arguments are the caller's and are not logged.
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
