const KEY = 'webgal-agent.tabs';
/** Games whose tabs are remembered, the last used. */
const MOST_GAMES = 20;

export interface KeptTabs {
  paths: string[];
  active: string | null;
}

function readAll(): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, unknown>) : {};
  } catch {
    // Damaged or forbidden storage costs her the open tabs and nothing else.
    return {};
  }
}

/** The tabs that were open when she left a game; none for a game that is new here. */
export function readTabs(project: string): KeptTabs {
  const all = readAll();
  const tabs = (Object.hasOwn(all, project) ? all[project] : undefined) as
    | Partial<Record<keyof KeptTabs, unknown>>
    | undefined;
  const paths = Array.isArray(tabs?.paths) ? tabs.paths.filter((path) => typeof path === 'string') : [];
  return { paths, active: typeof tabs?.active === 'string' ? tabs.active : null };
}

/** Remembers a game's tabs beside those of the others. */
export function keepTabs(project: string, tabs: KeptTabs): void {
  const { [project]: _, ...others } = readAll();
  const kept = Object.fromEntries([...Object.entries(others).slice(1 - MOST_GAMES), [project, tabs]]);
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Full or forbidden storage: tabs last for this run.
  }
}
