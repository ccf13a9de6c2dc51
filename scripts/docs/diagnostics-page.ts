import { type DiagnosticCode, type DiagnosticKey, diagnosticTexts } from '../../shared/i18n/diagnostics.ts';
import { CHECK_SETTINGS_PATH } from '../../shared/script/diagnostics/check-settings.ts';
import { DIAGNOSTICS } from '../../shared/script/diagnostics/diagnostic-table.ts';

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
    const { severity, kind, example, message, hint } = DIAGNOSTICS[code];
    lines.push(`| \`${code}\` | ${severity} | ${kind} | \`${cell(example)}\` | ${both(message)} | ${both(hint)} |`);
  }
  return `${lines.join('\n')}\n`;
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Returns a text in English and Chinese. */
const both = (key: DiagnosticKey) =>
  (['en', 'zh-CN'] as const).map((locale) => sentence(diagnosticTexts.translate(locale, key))).join('<br>');

/** Replaces placeholders with an ellipsis. */
const sentence = (text: string) => cell(text.replace(/\{\w+\}/g, '…'));
