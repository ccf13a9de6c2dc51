import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpGame } from '../../compose-mcp.ts';

type Confirm = NonNullable<Parameters<McpGame['connect']>[0]['confirm']>;

/** Someone has to read and decide; a program would have answered long before. */
const PATIENCE = 10 * 60_000;

const WORDS = {
  'zh-CN': { lead: '要让智能体这样做吗？', files: '涉及的文件' },
  en: { lead: 'Let the agent do this, this once?', files: 'Files' },
};

/** Asks the person at the client's end. Only a clear yes is one: declining, closing the question and silence are no. */
export function createConfirmByElicitation(server: Server, locale: McpGame['locale']): Confirm {
  const words = WORDS[locale];
  return async ({ summary, scope, detail, signal }) => {
    const files = scope.paths.length > 0 ? `\n${words.files}: ${scope.paths.join(', ')}` : '';
    const shown = detail === undefined ? '' : `\n\n${detail}`;
    const answer = await server.elicitInput(
      {
        message: `${words.lead}\n${summary[locale]} (${scope.tool})${files}${shown}`,
        // Nothing to fill in: accepting the question is the yes.
        requestedSchema: { type: 'object', properties: {} },
      },
      { signal, timeout: PATIENCE },
    );
    return answer.action === 'accept';
  };
}
