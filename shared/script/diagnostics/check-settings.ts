import { z } from 'zod';
import { type DiagnosticCode, type DiagnosticMessage, say } from '../../i18n/diagnostics.ts';
import { Severity } from '../../model/diagnostic.ts';
import { findNearNames } from '../project-index/near-names.ts';
import { type Finding, type PlacedFinding, replaceFix } from '../syntax/line-report.ts';
import { DIAGNOSTICS } from './diagnostic-table.ts';

/** The game's settings for the checker's severities; part of the game's files. */
export const CHECK_SETTINGS_PATH = 'game/webgal-agent.json';

const MAX_LENGTH = 256 * 1024;
/** Limits the findings for one file. */
const MAX_FINDINGS = 50;

export type ChosenSeverity = Severity | 'off';
const Chosen = z.union([Severity, z.literal('off')]);
const ALLOWED = [...Severity.options, 'off'].join(', ');
/** Keys are read one by one below, so that no key (such as `__proto__`) becomes a property of our objects. */
const Settings = z.strictObject({
  $schema: z.string().optional(),
  severities: z
    .custom<object>((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
    .optional(),
});

/** Content of a settings file. Errors in it are findings and have no other effect. */
export interface CheckSettings {
  severities: ReadonlyMap<DiagnosticCode, ChosenSeverity>;
  findings: readonly PlacedFinding[];
}

/**
 * Reads `{ "severities": { "code": "error"
 * "warning"
 * "info"
 * "off" } }`. Invalid entries become findings. Never throws.
 */
export function readCheckSettings(text: string): CheckSettings {
  const severities = new Map<DiagnosticCode, ChosenSeverity>();
  const whole = { start: 0, end: Math.max(1, text.search(/[\r\n]|$/)) };
  const broken = (why: DiagnosticMessage | string): CheckSettings => ({
    severities,
    findings: [{ line: 0, finding: { code: 'check-settings', ...whole, values: { why } } }],
  });
  if (text.length > MAX_LENGTH) return broken(`> ${MAX_LENGTH / 1024} KiB`);
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    // Invalid JSON is reported as a finding, and every code keeps its default severity.
    const detail = error instanceof Error ? error.message.slice(0, 200) : '';
    return broken(say('notes.notJson', { detail }));
  }
  const parsed = Settings.safeParse(value);
  if (!parsed.success) {
    const detail = z.prettifyError(parsed.error).replace(/\s+/g, ' ').slice(0, 200);
    return broken(say('notes.notSettings', { detail }));
  }
  const findings: PlacedFinding[] = [];
  const placeOf = createFinder(text);
  for (const [code, chosen] of Object.entries(parsed.data.severities ?? {})) {
    const severity = Chosen.safeParse(chosen);
    if (!isCode(code)) add(findings, placeOf(code), toUnknownCode(code));
    else if (severity.success) severities.set(code, severity.data);
    else {
      const values = { name: code, value: JSON.stringify(chosen).slice(0, 40), allowed: ALLOWED };
      add(findings, placeOf(code), { code: 'check-settings-value', values });
    }
  }
  return { severities, findings };
}

function isCode(code: string): code is DiagnosticCode {
  return Object.hasOwn(DIAGNOSTICS, code);
}

function toUnknownCode(code: string): Pick<Finding, 'code' | 'values'> & { near?: string } {
  const near = findNearNames(code, Object.keys(DIAGNOSTICS), 1)[0];
  const guess = near === undefined ? '' : say('notes.didYouMeanCode', { near });
  return { code: 'check-settings-code', values: { name: code, near: guess }, ...(near !== undefined && { near }) };
}

interface Place {
  line: number;
  start: number;
  end: number;
}

function add(
  findings: PlacedFinding[],
  { line, start, end }: Place,
  { near, ...finding }: Pick<Finding, 'code' | 'values'> & { near?: string },
): void {
  if (findings.length >= MAX_FINDINGS) return;
  const fixes = near === undefined ? {} : { fixes: [replaceFix(start, end, near)] };
  findings.push({ line, finding: { ...finding, start, end, ...fixes } });
}

/**
 * Returns a function that finds the position of a key, without its quotes; a key written with escapes yields the start.
 */
function createFinder(text: string): (key: string) => Place {
  const lines = text.replace(/^\ufeff/, '').split('\n');
  return (key) => {
    const quoted = JSON.stringify(key);
    const line = lines.findIndex((one) => one.includes(quoted));
    if (line < 0) return { line: 0, start: 0, end: 1 };
    const start = (lines[line] as string).indexOf(quoted) + 1;
    return { line, start, end: start + quoted.length - 2 };
  };
}
