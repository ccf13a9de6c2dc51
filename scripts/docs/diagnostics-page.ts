import { CHECK_SETTINGS_PATH } from '../../shared/script/diagnostics/check-settings.ts';
import {
  DIAGNOSTICS,
  type DiagnosticCode,
  diagnosticOf,
} from '../../shared/script/diagnostics/messages/diagnostic-table.ts';

/** All codes as Markdown, for `docs/diagnostics.md`, generated from the table. */
export function writeDiagnosticsPage(): string {
  const lines = [
    '# What the checker finds',
    '',
    'Made from the table of findings; do not edit by hand. “Error” means that the player notices or the story breaks,',
    '“warning” that it was probably not meant, “info” that it is worth knowing. Write `;@ignore code` on the line before',
    'to silence one code for one line.',
    '',
    `A game can choose severities for itself, in \`${CHECK_SETTINGS_PATH}\`; the editor, the assistant’s tools and`,
    '`webgal-agent check` all follow it, and a change takes effect at once. What cannot be read in it is said as a warning',
    'and changes nothing. Each value is `"error"`, `"warning"`, `"info"` or `"off"`:',
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

/** What depends on the line becomes an ellipsis. */
const sentence = (text: string) => cell(text.replace(/\{\w+\}/g, '…'));
