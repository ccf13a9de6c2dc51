import type { Diagnostic } from '../../../shared/model/diagnostic.ts';
import type { Locale } from '../../../shared/model/local-text.ts';
import { diagnoseProject } from '../../../shared/script/diagnostics/diagnose.ts';
import { fixAll, isCertainlyFixable } from '../../../shared/script/diagnostics/fix-all.ts';
import { applyEdits } from '../../../shared/script/language-features/apply-edits.ts';
import { CONFIG_PATH, type ProjectIndex } from '../../../shared/script/project-index/project-facts.ts';
import type { Reader } from '../ports/reader.ts';
import type { Change, Writer } from '../ports/writer.ts';

/** A fix may uncover another problem; after this many rounds the remaining ones are left to the user. */
const MAX_ROUNDS = 4;

/**
 * Applies all safe fixes in one transaction and updates the index. Returns the number of changed files. Throws `E_CONFLICT`
 * and writes nothing if a file changed meanwhile.
 */
export async function fixCertain(
  ports: { reader: Reader; writer: Writer; index: ProjectIndex },
  { locale, label }: { locale: Locale; label: { group: string; title: string } },
): Promise<number> {
  const { reader, writer, index } = ports;
  const config = index.config === null ? undefined : (await reader.read(CONFIG_PATH)).text;
  const texts = new Map<string, { before: string; after: string }>();
  const textOf = (path: string) => texts.get(path)?.after ?? (path === CONFIG_PATH ? config : index.scene(path)?.text);

  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const codes = new Set(certain(index, locale).map(({ code }) => code));
    let isChanged = false;
    for (const code of codes) {
      for (const [path, edits] of fixAll(certain(index, locale), code)) {
        const text = textOf(path);
        // A lone carriage return shifts columns, so fixes could hit the wrong text.
        if (text === undefined || /\r(?!\n)/.test(text)) continue;
        const after = applyEdits(text, edits);
        if (after === text) continue;
        texts.set(path, { before: texts.get(path)?.before ?? text, after });
        index.setText(path, after);
        isChanged = true;
      }
    }
    if (!isChanged) break;
  }
  const changes: Change[] = [];
  for (const [path, { before, after }] of texts) {
    const file = await reader.read(path);
    // If the file changed since, a base that cannot match makes the writer report all such files in one `E_CONFLICT`.
    if (before !== after) changes.push({ path, text: after, base: file.text === before ? file.version : '' });
  }
  return changes.length === 0 ? 0 : (await writer.apply(changes, { origin: 'writer', ...label })).length;
}

function certain(index: ProjectIndex, locale: Locale): Diagnostic[] {
  return diagnoseProject(index, { locale }).filter(isCertainlyFixable);
}
