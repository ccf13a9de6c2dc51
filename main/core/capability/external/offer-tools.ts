import { AppError, toErrorData } from '../../../../shared/errors.ts';
import { refusalText } from '../../../../shared/i18n/refusals.ts';
import { type RiskLevel, toStricterRisk } from '../../../../shared/model/capability/risk-matrix.ts';
import { REST_OF_TOOLS } from '../../../../shared/model/external/provider-row.ts';
import { LocalText, toSameText } from '../../../../shared/model/local-text.ts';
import type { ExternalProvider, OfferedCapability } from '../../ports/providers/provider.ts';
import type { Tool } from '../define-tool.ts';
import { toBoundedSchema } from './bound-schema.ts';
import { toPlainLine } from './plain-text.ts';
import { type ExternalTools, toExternalTool, toExternalTools } from './to-external-tool.ts';
import { toNames } from './to-names.ts';

/** Most capabilities of one provider; later ones are refused. */
const MAX_CAPABILITIES = 500;

/** A capability that is not taken on, and why. */
export interface RefusedCapability {
  name: string;
  why: LocalText;
}

/** Makes the tools of one provider, and keeps those that did not change. */
export interface ProviderOffer {
  /** Returns the tools for what the provider offers now; the same objects for those that stayed as they were. */
  read(): { tools: readonly Tool[]; refused: readonly RefusedCapability[] };
}

interface OfferOptions {
  clock: { now(): number; id(): string };
  /** The highest risk of each capability so far; written here. */
  risks: Map<string, RiskLevel>;
}

export function createOffer(provider: ExternalProvider, { clock, risks }: OfferOptions): ProviderOffer {
  /** Id → the tool, what it was made from, and how often it changed. */
  const made = new Map<string, { from: MadeFrom; tool: Tool; changes: number }>();
  let read: readonly OfferedCapability[] | null = null;
  let result: ReturnType<ProviderOffer['read']> = { tools: [], refused: [] };

  function toTool(tools: ExternalTools, offered: OfferedCapability, names: { id: string; tool: string }): Tool {
    const from = { name: provider.name, offered };
    const before = made.get(names.id);
    if (before !== undefined && isSame(before.from, from)) return before.tool;
    const changes = (before?.changes ?? 0) + 1;
    const tool = toExternalTool(tools, {
      ...{ offered, names, schema: toBoundedSchema(offered.parameters) },
      // A call that was written for the capability before a change is refused by its version.
      version: isVersion(offered.version) ? offered.version : `${changes}.0.0`,
      leastRisk: risks.get(names.id) ?? 'medium',
    });
    made.set(names.id, { from, tool, changes });
    risks.set(names.id, toStricterRisk(tool.risk.level, risks.get(names.id) ?? 'medium'));
    return tool;
  }

  return {
    read() {
      const offers = provider.capabilities();
      if (offers === read) return result;
      read = offers;
      const own = toExternalTools(provider, clock);
      const tools: Tool[] = [];
      const refused: RefusedCapability[] = [];
      const taken = new Set<string>();
      for (const offered of offers.slice(0, MAX_CAPABILITIES)) {
        const names = toNames(provider.id, offered);
        const fault = names === null ? refusalText('offer.noLetters') : names.fault;
        const isTaken = names !== null && (taken.has(names.id) || taken.has(names.tool));
        const why = fault ?? (isTaken ? refusalText('offer.sameName') : null);
        try {
          if (names === null || why !== null) throw new Error(why?.en);
          tools.push(toTool(own, offered, names));
          taken.add(names.id).add(names.tool);
        } catch (error) {
          refused.push({ name: toPlainLine(offered.name, 80), why: why ?? toWhy(error) });
        }
      }
      // How many more is not known: a source reads no list to its end.
      if (offers.length > MAX_CAPABILITIES) {
        refused.push({ name: REST_OF_TOOLS, why: refusalText('offer.more', { most: MAX_CAPABILITIES }) });
      }
      result = { tools, refused };
      return result;
    },
  };
}

/** Returns why the schema of the arguments cannot be used, or that the app failed. */
function toWhy(error: unknown): LocalText {
  const said = error instanceof AppError ? LocalText.safeParse(error.details?.why) : null;
  return said?.success ? said.data : toSameText(toErrorData(error).message);
}

interface MadeFrom {
  name: string;
  offered: OfferedCapability;
}

/** Compares as text, and only what was offered before: a thousand new capabilities are written out never. */
function isSame(before: MadeFrom, now: MadeFrom): boolean {
  return (before.name === now.name && before.offered === now.offered) || toText(before) === toText(now);
}

function toText({ name, offered }: MadeFrom): string {
  return JSON.stringify([name, { ...offered, parameters: null }, offered.parameters]);
}

function isVersion(version: string | undefined): version is string {
  return version !== undefined && version.length <= 40 && /^\d+\.\d+\.\d+$/.test(version);
}
