import { createCatalogue, type MessageKey } from './catalogue.ts';
import en from './en/mcp.json' with { type: 'json' };
import zhCN from './zh-CN/mcp.json' with { type: 'json' };

/** The texts of the MCP host: prompts, resources and questions. */
export const mcpTexts = createCatalogue({ 'zh-CN': zhCN, en });

export type McpKey = MessageKey<typeof en>;
