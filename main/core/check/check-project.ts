import { toErrorData } from '../../../shared/errors.ts';
import type { Diagnostic } from '../../../shared/model/diagnostic.ts';
import type { Locale } from '../../../shared/model/local-text.ts';
import { CHECK_SETTINGS_PATH } from '../../../shared/script/diagnostics/check-settings.ts';
import { diagnoseProject, diagnoseUnreadable, sortByPlace } from '../../../shared/script/diagnostics/diagnose.ts';
import { CONFIG_PATH, type ProjectIndex } from '../../../shared/script/project-index/project-facts.ts';
import type { Reader } from '../ports/reader.ts';
import type { GameEngine } from '../ports/workspace.ts';
import type { Writer } from '../ports/writer.ts';
import { isScene, readProjectIndex } from '../project/read-project-index.ts';
import { fixCertain } from './fix-certain.ts';

/** The result of a check of a whole game. Positions are 1-based; diagnostics are sorted by path and position. */
export interface CheckReport {
  diagnostics: readonly Omit<Diagnostic, 'fixes'>[];
  summary: {
    files: number;
    lines: number;
    errors: number;
    warnings: number;
    infos: number;
    /** Duration of the check in milliseconds. */
    ms: number;
    /** Number of changed files, if fixes were requested. */
    fixed?: number;
  };
}

/** Checks all scenes and the settings of a game. With a writer, applies safe fixes first. */
export async function checkProject(
  ports: { reader: Reader; writer?: Writer; now: () => number },
  options: GameEngine & { locale: Locale; fix?: { group: string; title: string } },
): Promise<CheckReport> {
  const { reader, writer, now } = ports;
  const { engineVersion, engine, locale, fix } = options;
  const startedAt = now();
  const index = await readProjectIndex(reader, { engineVersion, engine });
  const fixed = writer && fix ? await fixCertain({ reader, writer, index }, { locale, label: fix }) : undefined;
  const unreadable = await findUnreadable(reader, index, locale);
  const found = sortByPlace([...diagnoseProject(index, { locale }), ...unreadable]);
  const count = (severity: Diagnostic['severity']) => found.filter((one) => one.severity === severity).length;
  const scenes = [...index.scenes()];
  return {
    diagnostics: found.map(({ fixes: _, ...rest }) => rest),
    summary: {
      files: scenes.length + (index.config === null ? 0 : 1),
      lines: scenes.reduce((sum, scene) => sum + scene.records.length, index.config?.length ?? 0),
      errors: count('error'),
      warnings: count('warning'),
      infos: count('info'),
      ms: Math.round(now() - startedAt),
      ...(fixed !== undefined && { fixed }),
    },
  };
}

/** Reports unreadable scenes and settings as errors, because they cannot be checked. */
async function findUnreadable(reader: Reader, index: ProjectIndex, locale: Locale): Promise<Diagnostic[]> {
  const missed = [...index.files.all()].filter((path) => {
    if (path === CONFIG_PATH) return index.config === null;
    if (path === CHECK_SETTINGS_PATH) return index.checkSettings === null;
    return isScene(path) && index.scene(path) === undefined;
  });
  const found: Diagnostic[] = [];
  for (const path of missed) {
    const code = await reader.read(path).then(
      // The file is readable now but could not be read for the index.
      () => 'E_ENCODING' as const,
      (reason: unknown) => toErrorData(reason).code,
    );
    // A file that was deleted meanwhile is not an error.
    if (code === 'E_NOT_FOUND') continue;
    const diagnostic = diagnoseUnreadable(index, { path, code }, locale);
    if (diagnostic !== null) found.push(diagnostic);
  }
  return found;
}
