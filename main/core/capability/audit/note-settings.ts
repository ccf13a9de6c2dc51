import type { Settings } from '../../../../shared/model/settings.ts';
import type { Clock } from '../../ports/host.ts';
import type { Audit } from './audit.ts';

export type SettingsNote = (change: { before: Settings; after: Settings }) => Promise<void>;

/** The settings that decide what the assistant and other programs may do. */
const LOGGED = [
  ...(['tools', 'roles', 'developerMode', 'discoveryApi', 'providerGateway', 'autoRun', 'dryRun'] as const),
  ...(['turnCap', 'dayCap'] as const),
];

/** Logs which settings were changed: what decides about calls with its value, of the others the name only. */
export function createSettingsNote(audit: Pick<Audit, 'note'>, clock: Clock): SettingsNote {
  return async ({ before, after }) => {
    const names = (Object.keys(after) as (keyof Settings)[]).filter(
      (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
    );
    if (names.length === 0) return;
    const values = LOGGED.filter((name) => names.includes(name)).map((name) => [name, after[name]]);
    const at = clock.now();
    await audit
      .note({
        ...{
          kind: 'settings',
          name: 'change_settings',
          capability: 'app.settings.change',
          trace: 'settings',
          at,
          ms: 0,
        },
        args: { changed: names, ...Object.fromEntries(values), ...toServiceChanges(before, after) },
        ...{ files: [], undo: [], error: null },
      })
      // The setting is stored; the next call reports a log that cannot be written.
      .catch(() => undefined);
  };
}

/** Returns which services of the user came, went or are others now, by the names that the user gave; not what is started or called. */
function toServiceChanges({ mcpServers: before }: Settings, { mcpServers: after }: Settings): Record<string, string[]> {
  const toTexts = (servers: Settings['mcpServers']) => new Map(servers.map((each) => [each.id, JSON.stringify(each)]));
  const [earlier, now] = [toTexts(before), toTexts(after)];
  const changes = {
    servicesAdded: [...now.keys()].filter((id) => !earlier.has(id)),
    servicesRemoved: [...earlier.keys()].filter((id) => !now.has(id)),
    servicesChanged: [...now].filter(([id, text]) => (earlier.get(id) ?? text) !== text).map(([id]) => id),
  };
  return Object.fromEntries(Object.entries(changes).filter(([, ids]) => ids.length > 0));
}
