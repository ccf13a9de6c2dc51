import { AppError } from '../../../../shared/errors.ts';
import type { ChatMode } from '../../../../shared/model/chat.ts';
import { toSameText } from '../../../../shared/model/local-text.ts';
import type { ModelTool } from '../../ports/models.ts';
import type { ToolRunner } from '../../services.ts';
import { toNeededPermission } from '../catalog/to-manifest.ts';
import type { Tool } from '../define-tool.ts';
import { parseInput, toListedSchema } from '../parsing/parse-input.ts';
import { toCurrentCall } from '../parsing/to-current-call.ts';
import { decideStrictest } from '../policy/decide-strictest.ts';
import { toExternalFacts } from '../policy/to-external-facts.ts';
import { hasPorts } from './granted-ports.ts';
import { limitExternal } from './limit-external.ts';
import type { ToolRunnerOptions } from './runner-options.ts';
import { createToolIndex, type RegisteredTool, type ToolIndex } from './tool-index.ts';

/** Most tools that a refusal names. */
const MAX_NAMED = 60;

/** The tools of a host, by name. */
export interface ToolRegistry
  extends Pick<ToolRunner, 'list' | 'describe' | 'displayOf'>,
    Pick<ToolIndex, 'listedVersion' | 'pending'> {
  renew: NonNullable<ToolRunner['renew']>;
  /** The tools that exist now, whether or not they are listed yet. */
  tools(): readonly Tool[];
  /** Finds a tool by its current name. Throws `E_UNSUPPORTED` if there is none, `E_TOOL_DISABLED` if a port is missing. */
  find(name: string): RegisteredTool;
  /** Finds a tool by its current name or an earlier one, whether or not it can run here. */
  findKnown(name: string): RegisteredTool | undefined;
}

export function createToolRegistry(options: ToolRunnerOptions): ToolRegistry {
  const { ports, isStrict = false } = options;
  const canAsk = options.canAsk ?? options.confirm !== undefined;
  const index = createToolIndex(options.tools);

  /** Returns false for a tool whose every call would be refused. */
  function isOffered(
    { tool }: RegisteredTool,
    { mode, policy, role }: { mode: ChatMode; policy: ReturnType<ToolRunnerOptions['policy']>; role: string },
  ): boolean {
    if (!hasPorts(tool, ports) || tool.deprecated !== undefined) return false;
    if (mode === 'act' && tool.inAct === false) return false;
    const { project, settings, roles } = policy;
    const { name, permissions, risk, inPlan } = tool;
    const needed = toNeededPermission(tool, permissions);
    const facts = { tool: name, permissions, risk, inPlan, mode, paths: [], canAsk, needed, role };
    const request = { ...facts, ...toExternalFacts(tool, roles) };
    const decision = decideStrictest(request, tool.governedBy ?? [], { project, settings });
    if (decision.effect !== 'DENY') return true;
    // Without questions it is useful only if some calls need fewer permissions.
    return decision.why === 'tool.nobodyToAsk' && tool.approval?.permissionsFor !== undefined;
  }

  function limit(mode: ChatMode): ReturnType<typeof limitExternal> {
    const policy = options.policy();
    const { role } = options.caller();
    const useful = index.listed().filter((entry) => isOffered(entry, { mode, policy, role }));
    return limitExternal(useful, policy.settings.tools);
  }

  function find(name: string): RegisteredTool {
    const entry = index.now().get(name);
    if (entry === undefined) throw toMissing(name, index);
    if (!hasPorts(entry.tool, ports)) {
      throw new AppError('E_TOOL_DISABLED', `${name} is not available here.`, {
        hint: 'Do without this tool.',
        reason: 'tool.disabled',
      });
    }
    return entry;
  }

  function findKnown(name: string): RegisteredTool | undefined {
    const isEarlier = ({ tool }: RegisteredTool) => tool.earlier?.some((shape) => shape.name === name);
    return index.now().get(name) ?? [...index.now().values()].find(isEarlier);
  }

  return {
    tools: () => [...index.now().values()].map(({ tool }) => tool),
    listedVersion: index.listedVersion,
    pending: index.pending,
    renew: () => ({ ...index.renew(), leftOut: limit('act').leftOut }),
    find,
    findKnown,
    list(mode) {
      return limit(mode)
        .offered.map(toModelTool)
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    displayOf: (name) => findKnown(name)?.tool.inChat ?? 'other',
    describe(name, input) {
      const entry = findKnown(name);
      if (entry === undefined) return { summary: toSameText(name.slice(0, 100)), paths: [] };
      try {
        const current = toCurrentCall([entry.tool], { name, input });
        const parsed = parseInput(entry.tool, entry.schema, { input: current.input, isStrict });
        return { summary: entry.tool.summarize(parsed), paths: entry.tool.paths(parsed) };
      } catch {
        // Invalid input still needs a card; the call reports the fault.
        return { summary: entry.tool.title, paths: [] };
      }
    },
  };
}

/** Returns the error for a name that no tool has. */
function toMissing(name: string, index: ToolIndex): AppError {
  if (index.wasThere(name)) {
    return new AppError('E_TOOL_DISABLED', `The service that offered ${name} is not connected any more.`, {
      hint: 'Go on without it, or tell the user.',
      reason: 'tool.gone',
    });
  }
  return new AppError('E_UNSUPPORTED', `There is no tool called ${JSON.stringify(name.slice(0, 100))}.`, {
    hint: `The tools are: ${[...index.now().keys()].sort().slice(0, MAX_NAMED).join(', ')}.`,
    reason: 'tool.unknown',
  });
}

/** Converts a tool for model APIs, some of which reject a schema with top-level alternatives or `$schema`. */
function toModelTool(entry: RegisteredTool): ModelTool {
  if (entry.forModel) return entry.forModel;
  const { tool, schema } = entry;
  const { $schema: _, $id: __, oneOf: ___, anyOf: ____, allOf: _____, ...inputSchema } = toListedSchema(tool, schema);
  entry.forModel = { name: tool.name, description: tool.description, inputSchema };
  return entry.forModel;
}
