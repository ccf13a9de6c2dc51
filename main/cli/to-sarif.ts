import { pathToFileURL } from 'node:url';
import { diagnosticTexts } from '../../shared/i18n/diagnostics.ts';
import { DIAGNOSTICS } from '../../shared/script/diagnostics/diagnostic-table.ts';
import { APP_VERSION } from '../app-version.ts';
import type { CheckedProject } from '../compose-check.ts';

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const;

/** Converts findings to SARIF 2.1.0, which code hosts display next to the lines. */
export function toSarif({ projectRoot, diagnostics }: CheckedProject): string {
  const codes = Object.keys(DIAGNOSTICS);
  const rules = Object.entries(DIAGNOSTICS).map(([id, { severity, message, hint }]) => ({
    id,
    shortDescription: { text: toGeneral(diagnosticTexts.translate('en', message)) },
    help: { text: toGeneral(diagnosticTexts.translate('en', hint)) },
    defaultConfiguration: { level: LEVELS[severity] },
  }));
  const results = diagnostics.map((one) => ({
    ruleId: one.code,
    ruleIndex: codes.indexOf(one.code),
    level: LEVELS[one.severity],
    message: { text: one.fixHint === undefined ? one.message : `${one.message} ${one.fixHint}` },
    locations: [toLocation(one)],
    ...(one.related && {
      relatedLocations: one.related.map((other) => ({ ...toLocation(other), message: { text: other.message } })),
    }),
  }));
  const run = {
    tool: { driver: { name: 'WebGAL Agent', version: APP_VERSION, rules } },
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: { ROOT: { uri: `${pathToFileURL(projectRoot).href}/` } },
    invocations: [{ executionSuccessful: true }],
    results,
  };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** Removes the placeholders of a message template, for the description of a rule. */
const toGeneral = (template: string): string =>
  template.replace(/ ?\{(?:near|suggestion|allowed)\}/g, '').replace(/\{\w+\}/g, '…');

interface Place {
  path: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

function toLocation({ path, line, column, endLine, endColumn }: Place) {
  const region = { startLine: line, startColumn: column, endLine, endColumn };
  return { physicalLocation: { artifactLocation: toArtifact(path), region } };
}

function toArtifact(path: string) {
  return { uri: path.split('/').map(encodeURIComponent).join('/'), uriBaseId: 'ROOT' };
}
