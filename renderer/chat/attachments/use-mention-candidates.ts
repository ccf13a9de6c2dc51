import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_MENTIONS } from '../../../shared/model/message/mention.ts';
import { type Candidate, findMentions, toCandidate, toFileCandidates } from '../../state/chat/find-mentions.ts';
import { useEditor } from '../../state/documents/editor-store.ts';
import { language, whenFed } from '../../state/language/language.ts';
import { useProblems } from '../../state/problems/problems-store.ts';
import { projectStore, useProject } from '../../state/project/project-store.ts';
import { sceneName } from '../scene-name.ts';

interface NamedPlaces {
  speakers: readonly Candidate[];
  labels: readonly Candidate[];
}

const NONE: readonly Candidate[] = [];
const NO_NAMES: NamedPlaces = { speakers: NONE, labels: NONE };

/** Returns what can be mentioned and matches a search; nothing while `query` is null. */
export function useMentionCandidates(query: string | null): readonly Candidate[] {
  const isOpen = query !== null;
  // Only while it is open: otherwise each saved file would render the field of the message again.
  const files = useProject((state) => (isOpen ? state.files : null));
  useEffect(prepareFileCandidates, []);
  const names = useStoryNames(query);
  const selection = useSelection(isOpen);
  const problems = useProblemCandidates(isOpen);
  return useMemo(() => {
    if (query === null) return NONE;
    const { scenes, assets } = toFileCandidates(files ?? []);
    return findMentions([selection, scenes, names.speakers, names.labels, problems, assets], query);
  }, [query, files, names, selection, problems]);
}

/** Prepares the files ahead of the first @: a game can have tens of thousands. Returns a disposer. */
function prepareFileCandidates(): () => void {
  let id = 0;
  const prepare = () => {
    cancelIdleCallback(id);
    id = requestIdleCallback(() => toFileCandidates(projectStore.getState().files ?? []));
  };
  prepare();
  const stop = projectStore.subscribe(({ files }, before) => files !== before.files && prepare());
  return () => {
    stop();
    cancelIdleCallback(id);
  };
}

/** Asks the language service, which searches beside the page. Until it answers, the names of the search before are filtered. */
function useStoryNames(query: string | null): NamedPlaces {
  const { t } = useTranslation('chat');
  const [names, setNames] = useState(NO_NAMES);
  useEffect(() => {
    if (query === null) return;
    let isCurrent = true;
    void whenFed()
      .then(() => language().call('findNames', { text: query }))
      .then(({ speakers, labels }) => {
        if (!isCurrent) return;
        setNames({
          speakers: speakers.map(([name, count]) =>
            toCandidate({ kind: 'character', name }, name, t('composer.attach.lines', { count })),
          ),
          labels: labels.map(([path, name, line]) =>
            toCandidate({ kind: 'label', path, name, line }, name, `${sceneName(path)}:${line}`),
          ),
        });
      })
      // Without the service, files can be mentioned all the same.
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [query, t]);
  return names;
}

function useSelection(isOpen: boolean): readonly Candidate[] {
  const { t } = useTranslation('chat');
  const path = useEditor((state) => (isOpen ? state.active : null));
  const cursor = useEditor((state) => (isOpen ? state.cursor : null));
  return useMemo(() => {
    if (path === null || cursor === null || cursor.selection.trim() === '') return NONE;
    const detail = t('composer.contextLine', { scene: sceneName(path), line: cursor.firstLine });
    const mention = { kind: 'selection', path, line: cursor.firstLine, text: cursor.selection } as const;
    return [toCandidate(mention, t('composer.attach.selection'), detail)];
  }, [path, cursor, t]);
}

function useProblemCandidates(isOpen: boolean): readonly Candidate[] {
  const { t } = useTranslation('chat');
  const book = useProblems((state) => state.book);
  const changes = useProblems((state) => (isOpen ? state.changes : 0));
  const active = useEditor((state) => (isOpen ? state.active : null));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the book changes in place, and `changes` with it
  return useMemo(() => {
    if (!isOpen) return NONE;
    return book
      .rows(active)
      .slice(0, MAX_MENTIONS)
      .map(({ first: { path, line, message } }) =>
        toCandidate(
          { kind: 'problem', path, line, message: message.slice(0, 1000) },
          message,
          t('composer.contextLine', { scene: sceneName(path), line }),
        ),
      );
  }, [isOpen, book, changes, active, t]);
}
