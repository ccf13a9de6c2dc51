import { useEffect, useState } from 'react';
import { type GitVersion, type GitVersions, MAX_GIT_VERSIONS } from '../../../shared/model/git/git.ts';
import { api } from '../../api.ts';
import { useAppChanges } from '../../state/app-changes.ts';
import { useGit } from '../../state/git-store.ts';

const PAGE = 50;

export interface Commits {
  versions: readonly GitVersion[];
  isMore: boolean;
  isCut: boolean;
  isLoading: boolean;
  error: unknown;
  /** Lists the next ones. */
  loadMore(): void;
}

type Loaded = Omit<Commits, 'loadMore' | 'isLoading'>;

const NONE: Loaded = { versions: [], isMore: false, isCut: false, error: null };

/** Reads the commits that changed a file while it is shown; none where the game is in no repository. */
export function useCommits(path: string): Commits {
  const git = useGit();
  const isReady = git?.status === 'ready';
  const [count, setCount] = useState(PAGE);
  const [loaded, setLoaded] = useState<Loaded>(NONE);
  const [isLoading, setLoading] = useState(false);
  const changed = useAppChanges((state) => state.project + state.connection);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new state of the repository can mean a commit
  useEffect(() => {
    let isCurrent = true;
    if (!isReady) {
      setLoaded(NONE);
      return;
    }
    setLoading(true);
    readCommits(path, count, () => isCurrent)
      .then((found) => isCurrent && setLoaded({ ...found, error: null }))
      .catch((error: unknown) => isCurrent && setLoaded({ ...NONE, error }))
      .finally(() => isCurrent && setLoading(false));
    return () => {
      isCurrent = false;
    };
  }, [path, count, git, isReady, changed]);

  return { ...loaded, isLoading, loadMore: () => setCount((before) => Math.min(before + PAGE, MAX_GIT_VERSIONS)) };
}

/** Reads the first commits, a page at a time. */
async function readCommits(path: string, count: number, isCurrent: () => boolean): Promise<GitVersions> {
  const versions: GitVersion[] = [];
  for (;;) {
    const limit = Math.min(200, count - versions.length);
    const part = await api.call('git.versions', { path, skip: versions.length, limit });
    versions.push(...part.versions);
    const isFull = versions.length >= count || !part.isMore || part.versions.length === 0;
    if (isFull || !isCurrent()) {
      return { versions, isMore: part.isMore && versions.length < MAX_GIT_VERSIONS, isCut: part.isCut };
    }
  }
}
