import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { mcpTexts } from '../../../shared/i18n/mcp.ts';
import type { ChangeSummary } from '../../../shared/model/change-summary.ts';
import { type Locale, toLocalText } from '../../../shared/model/local-text.ts';
import { toIssueParts } from '../../../shared/model/plan/patch.ts';
import { toPlainSentence, toQuoted, toVisibleText } from '../../../shared/text/shown-text.ts';
import type { McpFacts, McpProject } from '../../compose-mcp.ts';

type Confirm = NonNullable<Parameters<McpProject['connect']>[0]['confirm']>;
type Question = Omit<Parameters<Confirm>[0], 'signal'>;

/** Codes of issues that can block a text. */
const REASONS = [
  ...(['command', 'script', 'url', 'folder', 'placeholder', 'shrink', 'reached', 'character', 'shell'] as const),
];

/** Allows ten minutes for a human answer. */
const ANSWER_TIMEOUT_MS = 10 * 60_000;

/** Asks for consent through the client. Only an accepted elicitation is consent; decline, cancellation and timeout are not. */
export function createConfirmByElicitation(server: Server, locale: McpFacts['locale']): Confirm {
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
function toMessage({ summary, scope, detail, change, issues = [] }: Question, locale: Locale): string {
  const translate = mcpTexts.createTranslator(locale);
  const named = new Set(change?.files.map(({ path }) => path));
  const others = scope.paths.filter((path) => !named.has(path));
  return [
    translate('consent.lead'),
    `${toPlainSentence(toLocalText(summary, locale))} (${scope.tool})`,
    ...(others.length > 0
      ? [translate('consent.files', { files: others.map((path) => toPlainSentence(toQuoted(path))).join(', ') })]
      : []),
    ...(issues.length > 0 ? ['', translate('consent.because'), ...issues.map((issue) => toReason(issue, locale))] : []),
    ...(detail === undefined
      ? []
      : [
          '',
          translate('consent.runs'),
          ...toVisibleText(detail)
            .split('\n')
            .map((line) => `> ${line}`),
        ]),
    ...(change ? ['', ...toLines(change, locale)] : []),
  ].join('\n');
}

/** An issue that the catalogue does not have is shown as it is. */
function toReason(issue: string, locale: Locale): string {
  const parts = toIssueParts(issue);
  const code = REASONS.find((known) => known === parts?.code);
  const subject = toPlainSentence(toQuoted(parts?.subject ?? issue));
  return `- ${code ? mcpTexts.createTranslator(locale)(`consent.reasons.${code}`, { subject }) : subject}`;
}

function toLines({ files, more }: ChangeSummary, locale: Locale): string[] {
  const translate = mcpTexts.createTranslator(locale);
  const lines = files.flatMap(({ path, kind, added, removed, lines: own }) => [
    `${translate(`consent.kinds.${kind}`)} ${toPlainSentence(toQuoted(path))} (+${added} −${removed})`,
    ...own.map((line) =>
      line.startsWith('@')
        ? translate('consent.place', { line: line.slice(1) })
        : `${line.slice(0, 1)} ${line.slice(1)}`,
    ),
  ]);
  return more > 0 ? [...lines, translate('consent.more', { count: more })] : lines;
}
