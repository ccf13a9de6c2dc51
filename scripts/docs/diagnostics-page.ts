import { CHECK_SETTINGS_PATH } from '../../shared/script/diagnostics/check-settings.ts';
import {
  DIAGNOSTICS,
  type DiagnosticCode,
  diagnosticOf,
} from '../../shared/script/diagnostics/messages/diagnostic-table.ts';

/** Generates `docs/diagnostics.md` from the table of codes. */
export function writeDiagnosticsPage(): string {
  const lines = [
    '# What the checker finds',
    '',
    'Generated from the table of findings; do not edit. “Error” means that the player notices or the story breaks,',
    '“warning” that it was probably not meant, “info” that it is worth knowing. Write `;@ignore code` on the line before',
    'to suppress one code for one line.',
    '',
    `A game can choose its own severities in \`${CHECK_SETTINGS_PATH}\`; the editor, the assistant’s tools and`,
    '`webgal-agent check` all follow it, and a change takes effect at once. Invalid entries are reported as a warning',
    'and change nothing. Each value is `"error"`, `"warning"`, `"info"` or `"off"`:',
    '',
    '```json',
    '{ "severities": { "unused-label": "off", "read-before-set": "warning" } }',
    '```',
    '',
    '| code | severity | kind | example | what the engine does | what to do |',
    '| --- | --- | --- | --- | --- | --- |',
  ];
  for (const code of (Object.keys(DIAGNOSTICS) as DiagnosticCode[]).sort()) {
    const { severity, kind, example, message, hint } = diagnosticOf(code);
    lines.push(
      `| \`${code}\` | ${severity} | ${kind} | \`${cell(example)}\` | ${sentence(message.en)}<br>${sentence(message['zh-CN'])} | ${sentence(hint?.en ?? '')}<br>${sentence(hint?.['zh-CN'] ?? '')} |`,
    );
  }
  return `${lines.join('\n')}\n`;
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Replaces placeholders with an ellipsis. */
const sentence = (text: string) => cell(text.replace(/\{\w+\}/g, '…'));
