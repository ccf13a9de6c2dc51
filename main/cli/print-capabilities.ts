import type { PendingApproval } from '../../shared/model/capability/approval.ts';
import type { CapabilityResponse } from '../../shared/model/capability/capability-response.ts';
import type { CapabilityManifest, ManifestProvider } from '../../shared/model/capability/manifest.ts';
import { toVisible, toVisibleText } from '../../shared/text/shown-text.ts';
import type { CommandLineText } from './command-line-text.ts';
import type { CapabilitiesCommand } from './read-capabilities.ts';

/** What a command prints and how it ends. */
export interface Printed {
  output: string;
  problem: string;
  exitCode: number;
}

/** Exit codes beside 0: refused or failed, and waiting for the user. */
const FAILED = 1;
const WAITS = 3;

/** Formats an answer of the discovery API. Names and results are of other programs: they cannot command the terminal. */
export function printResponse(
  response: CapabilityResponse,
  { action, format }: Pick<CapabilitiesCommand, 'action' | 'format'>,
  text: CommandLineText,
): Printed {
  const { error, data = {}, pagination } = response;
  const waits = error?.code === 'RISK.PENDING_APPROVAL';
  const exitCode = waits ? WAITS : response.success ? 0 : FAILED;
  if (format === 'json') return { output: `${toSafeJson(response)}\n`, problem: '', exitCode };
  if (waits)
    return { output: '', problem: `${text.capabilities.waits(String(error.details?.approvalId))}\n`, exitCode };
  if (error) {
    const more = error.suggestion === undefined ? '' : ` ${error.suggestion}`;
    return { output: '', problem: `${toVisibleText(`${error.code}: ${error.message}${more}`)}\n`, exitCode };
  }
  const rows = toRows(action, data.items);
  if (rows === null) return { output: `${toSafeJson(data, 2)}\n`, problem: '', exitCode };
  const rest = pagination?.hasNext
    ? [`(${pagination.page * pagination.pageSize} / ${pagination.total}; --page ${pagination.page + 1})`]
    : [];
  return { output: [...rows.map(toVisible), ...rest, ''].join('\n'), problem: '', exitCode };
}

/** Returns a line for each item of a list; null where the answer is no list. */
function toRows(action: CapabilitiesCommand['action'], items: unknown): string[] | null {
  if (!Array.isArray(items)) return null;
  if (action.name === 'list') return (items as CapabilityManifest[]).map(toCapabilityRow);
  if (action.name === 'providers') return (items as ListedProvider[]).map(toProviderRow);
  return action.name === 'approvals' && action.id === null ? (items as PendingApproval[]).map(toApprovalRow) : null;
}

type ListedProvider = ManifestProvider & { health: string; capabilities: number };

const toCapabilityRow = ({ id, version, type, risk, name }: CapabilityManifest): string =>
  `${id.padEnd(26)} ${version.padEnd(7)} ${type.padEnd(8)} ${risk.level.padEnd(8)} ${name}`;

const toProviderRow = ({ id, health, capabilities, name }: ListedProvider): string =>
  `${id.padEnd(26)} ${health.padEnd(12)} ${String(capabilities).padEnd(6)} ${name}`;

const toApprovalRow = ({ id, state, expiresAt, capability }: PendingApproval): string =>
  `${id} ${state.padEnd(12)} ${new Date(expiresAt).toISOString()} ${capability}`;

/** JSON in which invisible characters are escapes, which a reader of JSON reads as the same text. */
function toSafeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(/[\p{Bidi_Control}\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\n'
      ? character
      : [...Array(character.length).keys()]
          .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
          .join(''),
  );
}
