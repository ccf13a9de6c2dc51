import type { Emit } from '../../../../shared/contract.ts';
import type { Stage } from '../../services.ts';
import type { StagePorts } from '../operations/stage-memory.ts';
import { createStage } from '../stage.ts';
import { type StageChoiceOptions, toStagePorts } from '../stage-choices.ts';
import { createStageBeside, type StageBeside } from './stage-beside.ts';

/** Creates the stage of a game, and what is compared with it. */
export function openStages(
  options: StageChoiceOptions,
  ports: Omit<StagePorts, 'link' | 'engines' | 'terre'>,
): { stage: Stage; beside: StageBeside } {
  const emit: Emit = (event, payload) => {
    ports.emit(event, payload);
    // The stage may report before it is returned.
    if (event === 'stage.changed') beside?.follow(stage.state());
  };
  let beside: StageBeside | null = null;
  const stage = createStage({ ...ports, emit, ...toStagePorts(options) });
  beside = createStageBeside({ ...ports, stage, openLink: options.workspace.openStageBeside });
  return { stage, beside };
}
