import { DIAGNOSTICS, type DiagnosticCode, diagnosticOf } from './diagnostics/diagnostic-table.ts';

/** Every finding as Markdown, for `docs/diagnostics.md`: made from the table, so that it cannot go stale. */
export function writeDiagnosticsPage(): string {
  const lines = [
    '# What the checker finds',
    '',
    'Made from the table of findings; do not edit by hand. “Error” means that the player notices or the story breaks,',
    '“warning” that it was probably not meant, “info” that it is worth knowing. Write `;@ignore code` on the line before',
    'to silence one code for one line.',
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
