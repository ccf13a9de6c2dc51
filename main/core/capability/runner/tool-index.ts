import type { ModelTool } from '../../ports/models.ts';
import { type ToolSource, toToolSource } from '../catalog/capability-set.ts';
import type { Tool } from '../define-tool.ts';
import type { ArgumentSchema } from '../parsing/loose-input.ts';
import { toArgumentSchema } from '../parsing/parse-input.ts';

export interface RegisteredTool {
  readonly tool: Tool;
  /** Converted when it is first read: not every tool is listed or called. */
  readonly schema: ArgumentSchema & Record<string, unknown>;
  /** Converted with the first list, because the list is sent with every request. */
  forModel?: ModelTool;
}

/** The tools that exist now, by name, and those that are listed. */
export interface ToolIndex {
  now(): ReadonlyMap<string, RegisteredTool>;
  /** What is listed: fixed until `renew`, because providers cache a conversation by its list of tools. */
  listed(): RegisteredTool[];
  /** The version with which a tool was listed; undefined where no list was read, as by programs that look tools up one by one. */
  listedVersion(name: string): string | undefined;
  /** Whether the tool was there when the list was made. */
  wasThere(name: string): boolean;
  /** Lists from now on the tools that exist now. Returns the names of those that came and went. */
  renew(): { added: string[]; removed: string[] };
  /** Counts what is different from the list by now; a tool that came back as it was is not. */
  pending(): { added: number; removed: number; changed: number };
}

export function createToolIndex(tools: readonly Tool[] | ToolSource): ToolIndex {
  const source = toToolSource(tools);
  let listed = source.current();
  let versions = toVersions(listed);
  let indexed: readonly Tool[] | null = null;
  let isListRead = false;
  const byName = new Map<string, RegisteredTool>();
  /** Tools that left or were replaced and are listed still. Their calls are refused by name. */
  const left = new WeakMap<Tool, RegisteredTool>();

  /** A call is never run by the declaration of a tool that left or was replaced. */
  function now(): ReadonlyMap<string, RegisteredTool> {
    const current = source.current();
    if (current === indexed) return byName;
    const before = new Map(byName);
    byName.clear();
    for (const tool of current) {
      const known = before.get(tool.name);
      byName.set(tool.name, known?.tool === tool ? known : toRegistered(tool));
    }
    indexed = current;
    return byName;
  }

  function toListed(tool: Tool): RegisteredTool {
    const current = now().get(tool.name);
    if (current?.tool === tool) return current;
    const kept = left.get(tool) ?? toRegistered(tool);
    left.set(tool, kept);
    return kept;
  }

  return {
    now,
    listed() {
      isListRead = true;
      return listed.map(toListed);
    },
    listedVersion: (name) => (isListRead ? versions.get(name) : undefined),
    wasThere: (name) => versions.has(name),
    pending() {
      const current = toVersions(source.current());
      const names = [...current.keys()];
      return {
        added: names.filter((name) => !versions.has(name)).length,
        removed: [...versions.keys()].filter((name) => !current.has(name)).length,
        changed: names.filter((name) => versions.has(name) && versions.get(name) !== current.get(name)).length,
      };
    },
    renew() {
      const before = versions;
      listed = source.current();
      versions = toVersions(listed);
      return {
        added: [...versions.keys()].filter((name) => !before.has(name)),
        removed: [...before.keys()].filter((name) => !versions.has(name)),
      };
    },
  };
}

function toRegistered(tool: Tool): RegisteredTool {
  return {
    tool,
    get schema() {
      return toArgumentSchema(tool);
    },
  };
}

function toVersions(tools: readonly Tool[]): ReadonlyMap<string, string> {
  return new Map(tools.map(({ name, version }) => [name, version]));
}
