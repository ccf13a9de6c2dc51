const KEY = 'webgal-agent.tabs';
/** Number of most recently used games whose tabs are stored. */
const MAX_GAMES = 20;

export interface KeptTabs {
  paths: string[];
  active: string | null;
}

function readAll(): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, unknown>) : {};
  } catch {
    // Storage is damaged or blocked: no tabs are restored.
    return {};
  }
}

/** Returns the tabs that were open when the game was left; none for an unknown game. */
export function readTabs(project: string): KeptTabs {
  const all = readAll();
  const tabs = (Object.hasOwn(all, project) ? all[project] : undefined) as
    | Partial<Record<keyof KeptTabs, unknown>>
    | undefined;
  const paths = Array.isArray(tabs?.paths) ? tabs.paths.filter((path) => typeof path === 'string') : [];
  return { paths, active: typeof tabs?.active === 'string' ? tabs.active : null };
}

/** Stores a game's tabs. */
export function keepTabs(project: string, tabs: KeptTabs): void {
  const { [project]: _, ...others } = readAll();
  const kept = Object.fromEntries([...Object.entries(others).slice(1 - MAX_GAMES), [project, tabs]]);
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Storage is full or blocked: tabs are kept for this run only.
  }
}
