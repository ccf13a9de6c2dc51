import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { GetPromptRequestSchema, ListPromptsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { AppError } from '../../../shared/errors.ts';
import type { McpFacts } from '../../compose-mcp.ts';
import { findPrompt, listPrompts } from './prompts.ts';
import { throwProtocolError } from './to-protocol-error.ts';

/** Answers requests about prompts. */
export function servePrompts(server: Server, locale: McpFacts['locale']): void {
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: listPrompts(locale) }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const found = findPrompt(params.name, params.arguments ?? {}, locale);
    if (!found) throwProtocolError(new AppError('E_BAD_ARGS', `There is no prompt "${params.name.slice(0, 100)}".`));
    if ('missing' in found) {
      throwProtocolError(new AppError('E_BAD_ARGS', `Missing prompt arguments: ${found.missing.join(', ')}.`));
    }
    const { description, text } = found;
    return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
}
