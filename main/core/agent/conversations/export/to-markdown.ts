import { delay } from '../../../../../shared/async.ts';
import { projectTexts } from '../../../../../shared/i18n/project.ts';
import type { ChatItem } from '../../../../../shared/model/chat.ts';
import { type Locale, toLocalText } from '../../../../../shared/model/local-text.ts';
import { toMentionName } from '../../../../../shared/model/message/mention.ts';
import { fenceText, quoteMarkdown, toInline } from './quote-text.ts';

/** Rows that are written before other work has its turn. */
const ROWS_AT_ONCE = 200;

type Item<K extends ChatItem['kind']> = Extract<ChatItem, { kind: K }>;
type Say = ReturnType<typeof projectTexts.createTranslator>;

/**
 * Writes the rows of a conversation as Markdown: who spoke when, plans, questions, decisions and changed files. Calls of tools, thinking
 * and what was spent are left out.
 */
export async function toMarkdown({
  title,
  isForeign,
  items,
  locale,
}: {
  title: string;
  isForeign: boolean;
  items: readonly ChatItem[];
  locale: Locale;
}): Promise<string> {
  const say = projectTexts.createTranslator(locale);
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const blocks = [`# ${toInline(title)}`];
  if (isForeign) blocks.push(`*${say('export.foreign')}*`);
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % ROWS_AT_ONCE === 0) await delay(0);
    const block = toBlock(item, say, locale);
    if (block === null) continue;
    const aside = item.aside === undefined ? '' : ` · ${say('export.aside')}`;
    const parts = block.parts.filter((part) => part !== '');
    blocks.push([`## ${block.who} · ${toTime(item.at, time)}${aside}`, ...parts].join('\n\n'));
  }
  return `${blocks.join('\n\n')}\n`;
}

function toTime(at: number, format: Intl.DateTimeFormat): string {
  // A log that came with the game may hold any number.
  return Math.abs(at) <= 8.64e15 ? format.format(at) : '–';
}

interface Block {
  who: string;
  parts: string[];
}

function toBlock(item: ChatItem, say: Say, locale: Locale): Block | null {
  const assistant = say('export.assistant');
  switch (item.kind) {
    case 'user':
      return toMessage(item, say);
    case 'assistant':
    case 'completion':
      return item.text.trim() === '' ? null : { who: assistant, parts: [quoteMarkdown(item.text)] };
    case 'note':
      return { who: assistant, parts: [item.title ? `**${toInline(item.title)}**` : '', quoteMarkdown(item.text)] };
    case 'plan':
      return { who: say('export.plan'), parts: [toQuote(item.text), toSteps(item)] };
    case 'question':
      return toQuestion(item, say);
    case 'review':
      return toReview(item, say);
    case 'consent':
      return {
        who: say('export.permission'),
        parts: [
          toInline(toLocalText(item.summary, locale)),
          toList(item.paths.map(toCode)),
          `**${say(`export.consent.${item.state}`)}**`,
        ],
      };
    case 'summary':
      return { who: say('export.summary'), parts: [toQuote(item.text)] };
    case 'disk':
      return { who: say('export.disk'), parts: [toList(item.groups.map((group) => toDiskLine(group, say)))] };
    case 'end':
      return ['done', 'review', 'answer'].includes(item.reason) ? null : { who: say('export.ended'), parts: [] };
    default:
      return null;
  }
}

function toDiskLine({ kind, count, paths }: Item<'disk'>['groups'][number], say: Say): string {
  const more = count > paths.length ? ` +${count - paths.length}` : '';
  return `${say(`export.disks.${kind}`)}: ${paths.map(toCode).join(', ')}${more}`;
}

function toMessage({ text, context, mentions = [], pictures = [] }: Item<'user'>, say: Say): Block {
  const names = mentions.map((mention) => toCode(toMentionName(mention)));
  return {
    who: say('export.you'),
    parts: [
      fenceText(text),
      context === undefined ? '' : say('export.at', { place: toCode(context) }),
      names.length === 0 ? '' : say('export.mentioned', { names }),
      pictures.length === 0 ? '' : say('export.pictures', { count: pictures.length }),
    ],
  };
}

/** Lists the steps of a plan; those that were carried out are ticked. */
function toSteps({ steps }: Item<'plan'>): string {
  const isDone = ({ state }: (typeof steps)[number]) =>
    state === 'drafted' || state === 'written' || state === 'nothing';
  return toList(steps.map((step) => `[${isDone(step) ? 'x' : ' '}] ${toInline(step.summary)}`));
}

function toQuestion({ text, options, chosen, answer }: Item<'question'>, say: Say): Block {
  const listed = options.map((option) => `[${chosen.includes(option) ? 'x' : ' '}] ${toInline(option)}`);
  const isAnswered = answer !== null && answer.trim() !== '';
  return {
    who: say('export.question'),
    parts: [toQuote(text), toList(listed), isAnswered ? `**${say('export.answer')}**\n\n${fenceText(answer)}` : ''],
  };
}

function toReview({ state, files, feedback }: Item<'review'>, say: Say): Block {
  return {
    who: say('export.proposal'),
    parts: [
      toList(files.map(({ path, added, removed }) => `${toCode(path)} +${added} −${removed}`)),
      `**${say(`export.review.${state}`)}**`,
      feedback === undefined || feedback.trim() === '' ? '' : fenceText(feedback),
    ],
  };
}

const toQuote = (text: string): string => (text.trim() === '' ? '' : quoteMarkdown(text));

const toList = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

/** Returns a name as inline code, delimited by more back ticks than it holds. */
function toCode(name: string): string {
  const line = name.replace(/\s+/g, ' ');
  const marks = '`'.repeat(Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  return line.includes('`') ? `${marks} ${line} ${marks}` : `${marks}${line}${marks}`;
}
