import { SCENE_FOLDER } from '../../../../shared/script/project-index/project-facts.ts';
import { scanScene } from '../../../../shared/script/syntax/scan.ts';
import type { Draft, ToolOutcome } from '../../services.ts';

const PLAYTEST_TOOL = 'playtest_story';

/** Whether a turn has changed where the story can go without playing it since. */
export interface RouteGuard {
  drafted(draft: Pick<Draft, 'path' | 'before' | 'text'>): void;
  /** Records a call. A playtest that could not run counts: asking again would not help. */
  called(call: { name: string; input: unknown }, outcome: Pick<ToolOutcome, 'ok'>): void;
  /** True if routes changed and were not played since; only with a tool that plays them. */
  isUnplayed(offered: readonly { name: string }[]): boolean;
}

export function createRouteGuard(): RouteGuard {
  /** The routes of each drafted scene, as last drafted. */
  const known = new Map<string, string>();
  let isUnplayed = false;
  return {
    drafted({ path, before, text }) {
      if (!path.startsWith(SCENE_FOLDER)) return;
      const routes = toRoutes(text);
      if (routes !== (known.get(path) ?? toRoutes(before))) isUnplayed = true;
      known.set(path, routes);
    },
    called({ name, input }, { ok }) {
      if (name !== PLAYTEST_TOOL) return;
      // The tests alone may leave out the changed routes.
      const isPart =
        ok && typeof input === 'object' && input !== null && 'onlyTests' in input && input.onlyTests === true;
      if (!isPart) isUnplayed = false;
    },
    isUnplayed: (offered) => isUnplayed && offered.some(({ name }) => name === PLAYTEST_TOOL),
  };
}

const ROUTE_COMMANDS: ReadonlySet<string> = new Set([
  'choose',
  'changeScene',
  'callScene',
  'jumpLabel',
  'label',
  'end',
  'return',
]);

/** The statements of a scene that decide where the story goes: choices, jumps, labels, ends, and every condition. */
function toRoutes(text: string | null): string {
  if (text === null) return '';
  return scanScene(text)
    .filter((statement) => {
      const { command } = statement;
      return (command !== null && ROUTE_COMMANDS.has(command.name)) || statement.argument('when') !== undefined;
    })
    .map(
      (statement) => `${statement.command?.name ?? ''}:${statement.content}:${statement.argument('when')?.raw ?? ''}`,
    )
    .join('\n');
}
