import type { EngineChoice } from '../../../shared/model/stage.ts';
import type { Ports } from '../ports/ports.ts';
import type { Workspace } from '../ports/workspace.ts';
import type { StagePorts } from './operations/stage-memory.ts';
import type { PreferredTerre } from './prefer-terre.ts';
import type { StageEngines } from './stage-engines.ts';

export interface StageChoiceOptions {
  workspace: Workspace;
  ports: Pick<Ports, 'settings'>;
  /** Stores which engine the stage of a game runs, in the user's settings. */
  chooseEngine: (project: string, choice: EngineChoice) => Promise<void>;
}

/** What the stage of a game plays with: the link, and what the user can choose as far as the game and the host offer it. */
export function toStagePorts(
  options: StageChoiceOptions,
): Pick<StagePorts, 'link'> & { engines?: StageEngines; terre?: PreferredTerre } {
  const [engines, terre] = [toEngines(options), toTerre(options)];
  return { link: options.workspace.stage, ...(engines && { engines }), ...(terre && { terre }) };
}

function toTerre({ workspace, ports }: StageChoiceOptions): PreferredTerre | undefined {
  const { terre } = workspace;
  return terre && { terre, isPreferred: async () => (await ports.settings.read()).prefersTerre };
}

/** The choice is kept with the app's settings: a file of the game could be forged by the maker of the engine. */
function toEngines({ workspace, ports, chooseEngine }: StageChoiceOptions): StageEngines | undefined {
  const { ownEngine, terre, project } = workspace;
  if (!ownEngine && !terre) return undefined;
  return {
    own: ownEngine ?? null,
    readChoice: async () => (await ports.settings.read()).stageEngines[project.id] ?? null,
    writeChoice: (choice) => chooseEngine(project.id, choice),
  };
}
