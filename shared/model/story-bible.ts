/** Path of the story bible: beside the folder `game`, so that it is not part of an exported game. */
export const STORY_BIBLE_PATH = 'story-bible.md';

/**
 * Files beside it that the assistant is shown as well: of each list the first that exists.
 * Language data: names that writers give to an outline.
 */
export const NOTE_FILES: readonly (readonly string[])[] = [
  ['AGENTS.md'],
  ['story-outline.md', 'outline.md', '大纲.md', 'アウトライン.md'],
];

/** The assistant is given no more than this, so no more is written; in characters. */
export const STORY_BIBLE_LIMIT = 32_000;

/** One section of the story bible: a second-level heading and the text below it. */
export interface BibleEntry {
  /** The title; with the suffix `#2`, `#3`, … for repeated titles. */
  id: string;
  title: string;
  text: string;
}

interface Section extends BibleEntry {
  /** Line indexes in the file, including the heading; the end is exclusive. */
  start: number;
  end: number;
}

const HEADING = /^##[ \t]+(.*?)[ \t]*#*[ \t]*$/;
const FENCE = /^ {0,3}(```|~~~)/;

/** The sections of a story bible, in order. Text before the first heading belongs to no section. Never throws. */
export function readBibleEntries(text: string): BibleEntry[] {
  return toSections(text.split(/\r?\n/)).map(({ id, title, text: body }) => ({ id, title, text: body }));
}

/** Normalises a title for a heading: one line, without heading marks. Can be empty. */
export function toBibleTitle(title: string): string {
  return title
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(/^[# ]+|[# ]+$/g, '')
    .normalize('NFC');
}

/** Appends a section; `heading` is the title of a newly created file. */
export function addBibleEntry(text: string | null, entry: { title: string; text: string }, heading: string): string {
  const before = text === null || text.trim() === '' ? `# ${heading}\n` : text;
  const lines = before.replace(/\s*$/, '').split(/\r?\n/);
  return `${[...lines, '', ...toLines(entry)].join('\n')}\n`;
}

/** Replaces a section, or removes it (null). Everything else is unchanged. Null when there is no such section. */
export function changeBibleEntry(
  text: string,
  id: string,
  entry: { title: string; text: string } | null,
): string | null {
  const lines = text.split(/\r?\n/);
  const section = toSections(lines).find((one) => one.id === id);
  if (section === undefined) return null;
  const isLast = section.end >= lines.length;
  const replaced = entry === null ? [] : [...toLines(entry), ''];
  const kept = [...lines.slice(0, section.start), ...replaced, ...lines.slice(section.end)];
  return isLast ? `${kept.join('\n').replace(/\s*$/, '')}\n` : kept.join('\n');
}

function toLines({ title, text }: { title: string; text: string }): string[] {
  return [`## ${title}`, '', ...toBody(text).split('\n')];
}

/**
 * The text of a section, changed so that it contains no heading that would end it and no unclosed fence that would
 * include the next sections.
 */
function toBody(text: string): string {
  const lines = text
    .replace(/\r\n?/g, '\n')
    .trim()
    .split('\n')
    .map((line) => (/^#{1,2}([ \t]|$)/.test(line) ? `##${line}` : line));
  const isOpen = lines.reduce(toFence, null) !== null;
  return lines.map((line) => (isOpen && FENCE.test(line) ? `\\${line.trimStart()}` : line)).join('\n');
}

/** The mark of the fence that is open after `line`; null for none. */
function toFence(open: string | null, line: string): string | null {
  const mark = FENCE.exec(line)?.[1];
  if (mark === undefined) return open;
  return open === null ? mark : open === mark ? null : open;
}

function toSections(lines: readonly string[]): Section[] {
  const sections: Section[] = [];
  const counts = new Map<string, number>();
  let fence: string | null = null;
  lines.forEach((line, index) => {
    fence = toFence(fence, line);
    const found = fence === null ? HEADING.exec(line) : null;
    if (found === null) return;
    const title = toBibleTitle(found[1] ?? '');
    const count = (counts.get(title) ?? 0) + 1;
    counts.set(title, count);
    sections.push({ id: count === 1 ? title : `${title}#${count}`, title, text: '', start: index, end: lines.length });
  });
  return sections.map((section, index) => {
    const end = sections[index + 1]?.start ?? lines.length;
    return {
      ...section,
      end,
      text: lines
        .slice(section.start + 1, end)
        .join('\n')
        .trim(),
    };
  });
}
