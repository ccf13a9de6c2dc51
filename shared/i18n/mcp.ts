import { createCatalogue, type MessageKey } from './catalogue.ts';
import { TEXTS } from './texts/mcp.ts';

/** The texts of the MCP host: prompts, resources and questions. */
export const mcpTexts = createCatalogue(TEXTS);

export type McpKey = MessageKey<(typeof TEXTS)['en']>;
