/**
 * Walks a story by its text, for comparison with a playtest: its own small reader of scenes, which shares no code with the language
 * service. Understands what the compared games use: dialogue, labels, jumps, choices, calls, scene changes and `end`, without
 * conditions. Returns the 1-based lines that some route reaches, without comments, blank lines and labels, by path.
 */
export function walkStory(files: Readonly<Record<string, string>>): Map<string, number[]> {
  const reached = new Map<string, Set<number>>();
  const seen = new Set<string>();
  const waiting: { path: string; at: number; stack: [string, number][] }[] = [
    { path: 'game/scene/start.txt', at: 0, stack: [] },
  ];
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const { path, at, stack } = place;
    const key = JSON.stringify(place);
    if (seen.has(key)) continue;
    seen.add(key);
    const text = files[path];
    if (text === undefined) continue;
    const lines = text.split('\n').map((line) => line.split(';')[0] as string);
    if (at >= lines.length) {
      const back = stack.at(-1);
      if (back) waiting.push({ path: back[0], at: back[1], stack: stack.slice(0, -1) });
      continue;
    }
    const line = lines[at] as string;
    const colon = line.indexOf(':');
    const word = colon < 0 ? line.trim() : line.slice(0, colon);
    const rest = colon < 0 ? '' : (line.slice(colon + 1).split(' -')[0] as string);
    if (line.trim() !== '' && word !== 'label') {
      const known = reached.get(path) ?? new Set();
      reached.set(path, known.add(at + 1));
    }
    const next = { path, at: at + 1, stack };
    const label = (name: string) => ({ path, at: lines.lastIndexOf(`label:${name}`), stack });
    const scene = (name: string) => ({ path: `game/scene/${name}`, at: 0, stack });
    if (word === 'end') continue;
    if (word === 'jumpLabel') waiting.push(label(rest));
    else if (word === 'changeScene') waiting.push(scene(rest));
    else if (word === 'callScene') waiting.push({ ...scene(rest), stack: [...stack, [path, at + 1]] });
    else if (word === 'choose') {
      for (const option of rest.split('|')) {
        const target = option.slice(option.indexOf(':') + 1);
        waiting.push(target.includes('.') ? scene(target) : label(target));
      }
    } else waiting.push(next);
  }
  return new Map([...reached].map(([path, lines]) => [path, [...lines].sort((one, other) => one - other)]));
}
