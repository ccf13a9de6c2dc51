import { z } from 'zod';
import type { Tool } from '../../main/core/capability/define-tool.ts';
import { toClientTools } from '../../main/core/capability/model-face.ts';
import { toArgumentSchema } from '../../main/core/capability/parsing/parse-input.ts';
import { CONTRACT_VERSION } from '../../main/core/capability/runner/envelope.ts';

/** A documentation file: its path below `docs/` and its text. */
export interface ToolDocument {
  path: string;
  text: string;
}

/**
 * Generates the tool documentation from the declarations: a table, and a JSON Schema (2020-12) of each request and response, named
 * as in the tool contract.
 */
export function toToolDocuments(tools: readonly Tool[]): ToolDocument[] {
  const sorted = [...tools].sort((a, b) => (a.name < b.name ? -1 : 1));
  return [{ path: 'tools.md', text: toTable(sorted) }, ...toClientTools(sorted).flatMap(toSchemas)];
}

function toSchemas(tool: Tool): ToolDocument[] {
  const request = toArgumentSchema(tool);
  const response = z.toJSONSchema(tool.output, { io: 'output', target: 'draft-2020-12' });
  return [
    { path: `schemas/${tool.name}.request.json`, text: toFile(tool, 'request', request) },
    { path: `schemas/${tool.name}.response.json`, text: toFile(tool, 'response', response) },
  ];
}

function toFile(tool: Tool, kind: 'request' | 'response', schema: Record<string, unknown>): string {
  const { $schema, ...rest } = schema;
  const head = {
    $schema,
    $id: `${tool.name}.${kind}`,
    title: tool.title.en,
    contractVersion: CONTRACT_VERSION,
    version: tool.version,
    ...(kind === 'request' && { description: tool.description, examples: tool.examples }),
  };
  return `${JSON.stringify({ ...head, ...rest }, null, 2)}\n`;
}

function toTable(tools: readonly Tool[]): string {
  const lines = [
    '# What the assistant can do',
    '',
    `Made from the tools' declarations (contract ${CONTRACT_VERSION}); do not edit by hand. They are offered over MCP, except`,
    'those marked “app”, and those marked “window” only while the app has the same game open; the app offers its own model all but those marked “MCP”, some with other arguments and answers',
    '([why](decisions/0033-tools-for-the-model.md)). “Approval” says what happens while nothing else was chosen in the settings: “never” runs',
    'without a word, “review” waits in a proposal (over MCP: is written once it was agreed to), “always” asks each time.',
    'Tools that need `proc.exec` or `net.connect` are there in developer mode only. The schemas of all requests and',
    'responses lie in [schemas](schemas).',
    '',
    '| tool | version | where | what it does | permissions | approval | can be undone |',
    '| --- | --- | --- | --- | --- | --- | --- |',
  ];
  for (const tool of tools) {
    const { name, version, about, permissions, risk } = tool;
    const place =
      tool.audience === 'model'
        ? 'app'
        : tool.audience === 'window'
          ? 'window'
          : tool.forModel === 'hidden'
            ? 'MCP'
            : 'both';
    const leave = permissions.map((permission) => `\`${permission}\``).join(' ') || 'none';
    const undo = risk.snapshot ? 'yes' : risk.rollback ? 'yes, by hand' : 'nothing to undo';
    const back = risk.level === 'high' && !risk.rollback ? 'no' : undo;
    lines.push(
      `| \`${name}\` | ${version} | ${place} | ${about.en}<br>${about['zh-CN']} | ${leave} | ${risk.approval} | ${back} |`,
    );
  }
  return `${lines.join('\n')}\n`;
}
