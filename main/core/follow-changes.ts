import type { Emit } from '../../shared/contract.ts';
import type { GitService } from './git/git-service.ts';
import type { PlaytestService } from './playtest/service/playtest-service.ts';
import type { Workspace } from './ports/workspace.ts';
import type { Buffers, ProposalService, Stage } from './services.ts';
import type { StageBeside } from './stage/beside/stage-beside.ts';

/** Passes changes on disk on until the returned function is called. Reports once if they are found late or not at all. */
export function followDisk(
  workspace: Workspace,
  services: {
    stage: Stage;
    beside: StageBeside;
    proposals: ProposalService;
    git: GitService;
    playtest: PlaytestService;
  },
  { emit, onFault }: { emit: Emit; onFault: (fault: { where: string; error: unknown }) => void },
): () => void {
  const { stage, beside, proposals, git, playtest } = services;
  workspace.onLeftOut(() => emit('app.noticed', { level: 'warning', reason: 'watch.leftOut', details: {} }));
  workspace.onPolling(() => emit('app.noticed', { level: 'warning', reason: 'watch.polling', details: {} }));
  return workspace.watch((paths) => {
    stage.filesChanged(paths);
    beside.filesChanged(paths);
    git.filesChanged();
    playtest.filesChanged(paths);
    proposals.recheck(paths).catch((error: unknown) => onFault({ where: 'recheck of the proposal', error }));
    emit('project.filesChanged', { paths });
  });
}

/** Emits the list of unsaved files when it changes, not at each keystroke. */
export function reportUnsaved(buffers: Buffers, emit: Emit): () => void {
  let lastKey = '';
  return () => {
    const paths = [...buffers.all().keys()];
    const key = paths.join('\n');
    if (key === lastKey) return;
    lastKey = key;
    emit('script.unsavedChanged', { paths });
  };
}
