import { BYTE_ORDER_MARK, keepUniformEndings } from '../../../shared/text/line-endings.ts';
import type { ToolContext, ToolPorts } from '../../core/capability/define-tool.ts';
import { refuseUnwritable } from '../../core/proposal/text-change.ts';
import { toTextLines } from '../../core/text/numbered-lines.ts';
import { type ChangeAnswer, draftText } from './change-answer.ts';
import { requireLines } from './line-guard.ts';
import { requireFile } from './missing-file.ts';

/** Lines `from` to `to` of a file become `content`; `to < from` inserts before `from`. */
export interface LineChange {
  path: string;
  from: number;
  to: number;
  content: string;
  /** The line that the guards are about. */
  guarded: number;
  expect?: string | undefined;
  version?: string | undefined;
}

/** Returns the text before and after a change of lines. Throws `E_CONFLICT` if the numbers are not those of the text. */
export async function toChangedText(
  change: LineChange,
  { reader }: Pick<ToolPorts, 'reader'>,
): Promise<{ before: string; after: string; base: string }> {
  const { path, from, to, content, guarded, expect, version } = change;
  await requireFile(reader, path);
  const file = await reader.read(path);
  requireLines(file, toTextLines(file.text), { line: guarded, to: Math.max(guarded, to), expect, version });
  const after = replaceLines(file.text, { from, to, content });
  refuseUnwritable(path, after);
  return { before: file.text, after, base: file.version };
}

/** Drafts a change of lines; the note says how the lines below it moved. */
export async function draftLines(
  change: LineChange,
  isLook: boolean,
  { ports, context }: { ports: Pick<ToolPorts, 'reader' | 'writer'>; context: ToolContext },
): Promise<ChangeAnswer> {
  const changed = await toChangedText(change, ports);
  const answer = await draftText({ path: change.path, ...changed }, { isLook }, { ports, context });
  const moved = toTextLines(changed.after).length - toTextLines(changed.before).length;
  if (!answer.drafted || moved === 0) return answer;
  const sign = moved > 0 ? '+' : '';
  return { ...answer, note: `Lines below the change have other numbers now (${sign}${moved}). ${answer.note}` };
}

function replaceLines(text: string, { from, to, content }: Pick<LineChange, 'from' | 'to' | 'content'>): string {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const body = text.slice(mark.length);
  const starts = [0];
  for (let at = body.indexOf('\n'); at >= 0; at = body.indexOf('\n', at + 1)) starts.push(at + 1);
  const start = starts[from - 1] ?? body.length;
  const end = starts[Math.max(from - 1, to)] ?? body.length;
  const head = body.slice(0, start);
  const tail = body.slice(end);
  // A game without CRLF gets none; the reverse is done for the whole text below.
  const fitting = body.includes('\r\n') ? content : content.replaceAll('\r\n', '\n');
  const added = fitting === '' || fitting.endsWith('\n') ? fitting : `${fitting}\n`;
  // A last line without a line break stays one, unless lines come after it.
  const glue = head === '' || head.endsWith('\n') || added === '' ? '' : '\n';
  const kept = tail === '' && !body.endsWith('\n') && body !== '' && from <= to ? added.replace(/\r?\n$/, '') : added;
  return mark + keepUniformEndings(body, head + glue + kept + tail);
}
