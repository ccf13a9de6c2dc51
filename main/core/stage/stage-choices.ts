import type { EngineChoice } from '../../../shared/model/stage.ts';
import type { Ports } from '../ports/ports.ts';
import type { Workspace } from '../ports/workspace.ts';
import type { StagePorts } from './operations/stage-memory.ts';
import type { OwnEngine } from './own-engine.ts';
import type { PreferredTerre } from './prefer-terre.ts';

export interface StageChoiceOptions {
  workspace: Workspace;
  ports: Pick<Ports, 'settings'>;
  /** Stores which engine the stage of a game runs, in the user's settings. */
  chooseEngine: (project: string, choice: EngineChoice) => Promise<void>;
}

/** What the stage of a game plays with: the link, and what the user can choose as far as the game and the host offer it. */
export function toStagePorts(
  options: StageChoiceOptions,
): Pick<StagePorts, 'link'> & { ownEngine?: OwnEngine; terre?: PreferredTerre } {
  const [ownEngine, terre] = [toOwnEngine(options), toTerre(options)];
  return { link: options.workspace.stage, ...(ownEngine && { ownEngine }), ...(terre && { terre }) };
}

function toTerre({ workspace, ports }: StageChoiceOptions): PreferredTerre | undefined {
  const { terre } = workspace;
  return terre && { terre, isPreferred: async () => (await ports.settings.read()).prefersTerre };
}

/** The choice is kept with the app's settings: a file of the game could be forged by the maker of the engine. */
function toOwnEngine({ workspace, ports, chooseEngine }: StageChoiceOptions): OwnEngine | undefined {
  const { ownEngine, project } = workspace;
  if (ownEngine === undefined) return undefined;
  return {
    ...ownEngine,
    readChoice: async () => (await ports.settings.read()).stageEngines[project.id] ?? null,
    writeChoice: (choice) => chooseEngine(project.id, choice),
  };
}
