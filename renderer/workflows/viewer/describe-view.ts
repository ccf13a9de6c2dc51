import type { StageShown } from '../../../shared/model/stage.ts';
import { i18n } from '../../i18n/setup.ts';
import { editorStore } from '../../state/documents/editor-store.ts';
import { visibleLines } from '../../state/monaco/shown-code.ts';
import { navigationStore } from '../../state/navigation.ts';
import { problemsStore } from '../../state/problems/problems-store.ts';
import { reviewStore } from '../../state/review/review-store.ts';
import { toLookWords } from '../../state/stage/figure-words.ts';
import { stageStore } from '../../state/stage/stage-store.ts';
import { isStageOut } from '../../state/stage/stage-window.ts';
import { describeWay } from './navigation-reasons.ts';

const MAX_PROBLEMS = 20;
const MAX_TEXT = 300;
const MAX_VARIABLES = 50;

/**
 * Describes what the user has in view. Without the text of files: a rule of the game may close the one that is open, and the
 * tools that read hold the rules.
 */
export function describeView(): Record<string, unknown> {
  const { view, isStageOpen } = navigationStore.getState();
  const { active, cursor, files } = editorStore.getState();
  const { proposal } = reviewStore.getState();
  return {
    view,
    openFiles: files.slice(0, 30).map(({ path }) => path),
    ...(active && {
      file: active,
      ...(cursor && { cursorLine: cursor.line, selectedFrom: cursor.selection === '' ? null : cursor.firstLine }),
      visibleLines: view === 'write' ? visibleLines() : null,
      problems: toProblems(active),
    }),
    proposal: proposal && { files: proposal.files.slice(0, 30).map(({ path }) => path) },
    stage: { isOpen: isStageOpen, isInOwnWindow: isStageOut(), ...describeStage() },
  };
}

/** Describes what the stage shows, with the words of the line on screen. */
export function describeStage(): Record<string, unknown> {
  const { status, place, shown, way } = stageStore.getState().stage;
  return {
    status,
    plays: place?.source ?? null,
    ...(shown && describeShown(shown)),
    ...(way && { wayToLine: describeWay(way) }),
    ...describeProblems(),
  };
}

/** Describes what went wrong on the stage so far. */
export function describeProblems(): { problems: Record<string, unknown>[] } {
  const { problems } = stageStore.getState().stage;
  return {
    problems: problems.slice(0, MAX_PROBLEMS).map((problem) => ({
      problem: problem.reason,
      subject: problem.subject.slice(0, MAX_TEXT),
      ...(problem.place && { path: problem.place.path, line: problem.place.line }),
    })),
  };
}

/**
 * Describes what is on the stage: background, figures with their places, expressions and what scripts changed of them, words, music
 * and variables.
 */
export function describeShown(shown: StageShown): Record<string, unknown> {
  const { scene, line, speaker, text, background, figures, looks, music, variables, globals = {} } = shown;
  const t = i18n.getFixedT('en', 'stage');
  return {
    ...{ scene, line, speaker: speaker.slice(0, MAX_TEXT), text: text.slice(0, MAX_TEXT), background },
    ...(looks?.background && { backgroundIs: toLookWords(looks.background, t) }),
    ...(looks?.stage && { wholePictureIs: toLookWords(looks.stage, t) }),
    figures: figures.map(({ look, ...figure }) => ({ ...figure, ...(look && { is: toLookWords(look, t) }) })),
    music,
    variables: toListed(variables),
    ...(Object.keys(globals).length > 0 && { globalVariables: toListed(globals) }),
  };
}

function toListed(variables: StageShown['variables']): StageShown['variables'] {
  return Object.fromEntries(Object.entries(variables).slice(0, MAX_VARIABLES));
}

function toProblems(path: string): { line: number; severity: string; message: string }[] {
  const found = problemsStore.getState().book.of(path);
  return found
    .slice(0, MAX_PROBLEMS)
    .map(({ line, severity, message }) => ({ line, severity, message: message.slice(0, MAX_TEXT) }));
}
