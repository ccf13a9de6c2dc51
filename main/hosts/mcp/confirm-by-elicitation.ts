import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { ChangeSummary } from '../../../shared/model/change-summary.ts';
import { toPlainSentence, toQuoted, toVisibleText } from '../../../shared/model/shown-text.ts';
import type { Locale } from '../../../shared/model/text.ts';
import type { McpGame } from '../../compose-mcp.ts';

type Confirm = NonNullable<Parameters<McpGame['connect']>[0]['confirm']>;
type Question = Omit<Parameters<Confirm>[0], 'signal'>;

/** Allows ten minutes for a human answer. */
const ANSWER_TIMEOUT_MS = 10 * 60_000;

const WORDS = {
  'zh-CN': {
    lead: '要让智能体这样做吗？',
    files: '涉及的文件',
    runs: '将要运行的内容：',
    kinds: { new: '新文件', changed: '改动', removed: '删除', lineEndings: '只改换行符' },
    place: (line: string) => `第 ${line} 行起：`,
    more: (count: number) => `……还有 ${count} 行`,
  },
  en: {
    lead: 'Let the agent do this, this once?',
    files: 'Files',
    runs: 'What would be run:',
    kinds: { new: 'New file', changed: 'Change to', removed: 'Removal of', lineEndings: 'Only the line endings of' },
    place: (line: string) => `From line ${line}:`,
    more: (count: number) => `… and ${count} more ${count === 1 ? 'line' : 'lines'}`,
  },
};

/** Asks for consent through the client. Only an accepted elicitation is consent; decline, cancellation and timeout are not. */
export function createConfirmByElicitation(server: Server, locale: McpGame['locale']): Confirm {
  return async ({ signal, ...question }) => {
    const answer = await server.elicitInput(
      {
        message: toMessage(question, locale),
        // No fields: accepting the elicitation is the consent.
        requestedSchema: { type: 'object', properties: {} },
      },
      { signal, timeout: ANSWER_TIMEOUT_MS },
    );
    return answer.action === 'accept';
  };
}

/**
 * Formats the question. Text of the game or the model is quoted or has a mark at the start of its line, so that it cannot be
 * mistaken for text of the app.
 */
function toMessage({ summary, scope, detail, change }: Question, locale: Locale): string {
  const words = WORDS[locale];
  const named = new Set(change?.files.map(({ path }) => path));
  const others = scope.paths.filter((path) => !named.has(path));
  return [
    words.lead,
    `${toPlainSentence(summary[locale])} (${scope.tool})`,
    ...(others.length > 0
      ? [`${words.files}: ${others.map((path) => toPlainSentence(toQuoted(path))).join(', ')}`]
      : []),
    ...(detail === undefined
      ? []
      : [
          '',
          words.runs,
          ...toVisibleText(detail)
            .split('\n')
            .map((line) => `> ${line}`),
        ]),
    ...(change ? ['', ...toLines(change, locale)] : []),
  ].join('\n');
}

function toLines({ files, more }: ChangeSummary, locale: Locale): string[] {
  const words = WORDS[locale];
  const lines = files.flatMap(({ path, kind, added, removed, lines: own }) => [
    `${words.kinds[kind]} ${toPlainSentence(toQuoted(path))} (+${added} −${removed})`,
    ...own.map((line) => (line.startsWith('@') ? words.place(line.slice(1)) : `${line.slice(0, 1)} ${line.slice(1)}`)),
  ]);
  return more > 0 ? [...lines, words.more(more)] : lines;
}
