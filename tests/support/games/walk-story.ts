type Variables = Readonly<Record<string, number>>;

interface Place {
  path: string;
  at: number;
  stack: readonly (readonly [string, number])[];
  variables: Variables;
}

/**
 * Walks a story by its text, for comparison with a playtest: its own small reader of scenes, which shares no code with the language
 * service. Understands what the compared games use: dialogue, labels, jumps, choices, calls, scene changes and `end`, whole numbers
 * in variables, and conditions that compare a variable with a number. Goes every way with every value. Returns the 1-based lines that
 * some route reaches, without comments, blank lines, labels and lines whose condition is false, by path.
 */
export function walkStory(files: Readonly<Record<string, string>>): Map<string, number[]> {
  const reached = new Map<string, Set<number>>();
  const seen = new Set<string>();
  const waiting: Place[] = [{ path: 'game/scene/start.txt', at: 0, stack: [], variables: {} }];
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const key = JSON.stringify(place);
    const text = files[place.path];
    if (seen.has(key) || text === undefined) continue;
    seen.add(key);
    const lines = text.split('\n').map((line) => line.split(';')[0] as string);
    const [line, back] = [lines[place.at], place.stack.at(-1)];
    if (line !== undefined) {
      const { isPlayed, next } = readLine(place, lines);
      if (isPlayed) reached.set(place.path, (reached.get(place.path) ?? new Set()).add(place.at + 1));
      waiting.push(...next);
    } else if (back) waiting.push({ ...place, path: back[0], at: back[1], stack: place.stack.slice(0, -1) });
  }
  return new Map([...reached].map(([path, lines]) => [path, [...lines].sort((one, other) => one - other)]));
}

/** Returns whether a line is played, and where the story can be after it. */
function readLine(place: Place, lines: readonly string[]): { isPlayed: boolean; next: Place[] } {
  const { path, at, stack, variables } = place;
  const [line = '', condition] = (lines[at] as string).split(' -when=');
  const on = { ...place, at: at + 1 };
  if (condition !== undefined && !isTrue(condition, variables)) return { isPlayed: false, next: [on] };
  const colon = line.indexOf(':');
  const word = colon < 0 ? line.trim() : line.slice(0, colon);
  const rest = colon < 0 ? '' : (line.slice(colon + 1).split(' -')[0] as string);
  const label = (name: string): Place => ({ ...place, at: lines.lastIndexOf(`label:${name}`) });
  const scene = (name: string): Place => ({ ...place, path: `game/scene/${name}`, at: 0 });
  const played = (...next: Place[]) => ({ isPlayed: true, next });
  switch (word) {
    case '':
    case 'label':
      return { isPlayed: false, next: [on] };
    case 'end':
      return played();
    case 'jumpLabel':
      return played(label(rest));
    case 'changeScene':
      return played(scene(rest));
    case 'callScene':
      return played({ ...scene(rest), stack: [...stack, [path, at + 1]] });
    case 'setVar':
      return played({ ...on, variables: setVariable(rest, variables) });
    case 'choose': {
      const offered = rest.split('|').filter((option) => {
        const shown = option.match(/^\((.*)\)->/)?.[1];
        return shown === undefined || isTrue(shown, variables);
      });
      const targets = offered.map((option) => option.slice(option.lastIndexOf(':') + 1));
      return played(...targets.map((target) => (target.includes('.') ? scene(target) : label(target))));
    }
    default:
      return played(on);
  }
}

/** Takes `a=2`, `a=b` and `a=a+1`. */
function setVariable(text: string, variables: Variables): Variables {
  const [name = '', value = ''] = text.split('=');
  const parts = value.split('+').map((part) => (/^\d+$/.test(part) ? Number(part) : (variables[part] ?? 0)));
  return { ...variables, [name]: parts.reduce((sum, part) => sum + part, 0) };
}

function isTrue(condition: string, variables: Variables): boolean {
  const [, name = '', sign, number] = condition.match(/^(\w+)(>=|==|>|<)(\d+)$/) ?? [];
  if (sign === undefined) throw new Error(`The walk does not read the condition ${condition}.`);
  const [value, other] = [variables[name] ?? 0, Number(number)];
  return { '>': value > other, '<': value < other, '>=': value >= other, '==': value === other }[sign] ?? false;
}
