import { shorten } from '../../../shared/text/shorten.ts';
import type { SkillFile } from '../ports/stores/skill-files.ts';

const MAX_NAME = 60;
const MAX_DESCRIPTION = 200;
/** Control, invisible and direction-changing characters, which would make two names look the same. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\s]+/gu;
const FENCE = /^---[ \t]*$/;
const FIELD = /^([A-Za-z_-]{1,40})[ \t]*[:：][ \t]*(.*)$/;

/** A skill: when it applies, and what to do. */
export interface SkillText {
  name: string;
  description: string;
  body: string;
}

/**
 * Reads a skill: Markdown with `name` and `description` between two lines of `---`. Without them the file's name and the first line
 * count. Null for a file without content, or with a head that never ends.
 */
export function parseSkill({ name: file, text }: SkillFile): SkillText | null {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/);
  const hasHead = FENCE.test(lines[0] ?? '');
  const end = hasHead ? lines.findIndex((line, index) => index > 0 && FENCE.test(line)) : -1;
  if (hasHead && end < 0) return null;
  const fields = readFields(lines.slice(1, Math.max(1, end)));
  const body = lines
    .slice(end + 1)
    .join('\n')
    .trim();
  if (body === '') return null;
  const first = body.split('\n')[0]?.replace(/^#+\s*/, '') ?? '';
  const name = toLine(fields.get('name') ?? '', MAX_NAME) || toLine(file.replace(/\.md$/i, ''), MAX_NAME);
  const description = toLine(fields.get('description') ?? '', MAX_DESCRIPTION) || toLine(first, MAX_DESCRIPTION);
  return name === '' ? null : { name, description, body };
}

/** Reads `name: value` lines; indented lines continue a value, as in YAML's `>` and `|`. */
function readFields(lines: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>();
  let last: string | undefined;
  for (const line of lines) {
    const [, key, value = ''] = FIELD.exec(line) ?? [];
    if (key !== undefined) {
      last = key.toLowerCase();
      fields.set(last, /^[>|][+-]?$/.test(value.trim()) ? '' : value.trim().replace(/^(["'])(.*)\1$/, '$2'));
    } else if (last !== undefined && /^[ \t]/.test(line)) {
      fields.set(last, `${fields.get(last) ?? ''} ${line.trim()}`);
    }
  }
  return fields;
}

function toLine(text: string, length: number): string {
  return shorten(text.replace(UNSEEN, ' ').trim().toWellFormed(), length);
}
