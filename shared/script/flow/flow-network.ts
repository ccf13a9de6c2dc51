/** A directed graph. `needs` is a node that must be reached as well before the edge can be used; -1 for none. */
export class FlowNetwork {
  readonly #nodes: number;
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #needs: number[] = [];

  constructor(nodes: number) {
    this.#nodes = nodes;
  }

  get size(): number {
    return this.#nodes + this.#from.length;
  }

  add(from: number, to: number, needs = -1): void {
    this.#from.push(from);
    this.#to.push(to);
    this.#needs.push(needs);
  }

  /** 1 for every node that is reachable from `root`. Linear. */
  reach(root: number): Uint8Array {
    const reached = new Uint8Array(this.#nodes);
    const byFrom = group(this.#from, this.#nodes);
    const byNeed = group(this.#needs, this.#nodes);
    const stack = [root];
    reached[root] = 1;
    const visit = (node: number): void => {
      if (reached[node] !== 0) return;
      reached[node] = 1;
      stack.push(node);
    };
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      for (let at = byFrom.starts[node] as number; at < (byFrom.starts[node + 1] as number); at += 1) {
        const edge = byFrom.positions[at] as number;
        const need = this.#needs[edge] as number;
        if (need < 0 || reached[need] !== 0) visit(this.#to[edge] as number);
      }
      for (let at = byNeed.starts[node] as number; at < (byNeed.starts[node + 1] as number); at += 1) {
        const edge = byNeed.positions[at] as number;
        if (reached[this.#from[edge] as number] !== 0) visit(this.#to[edge] as number);
      }
    }
    return reached;
  }

  /** The graph without unreachable nodes and unusable edges. */
  open(reached: Uint8Array): OpenNetwork {
    const from: number[] = [];
    const to: number[] = [];
    for (let edge = 0; edge < this.#from.length; edge += 1) {
      const need = this.#needs[edge] as number;
      if (reached[this.#from[edge] as number] === 0 || (need >= 0 && reached[need] === 0)) continue;
      from.push(this.#from[edge] as number);
      to.push(this.#to[edge] as number);
    }
    return new OpenNetwork(this.#nodes, from, to);
  }
}

/** A graph without conditions over the same nodes. */
export class OpenNetwork {
  readonly nodes: number;
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly #byFrom: Groups;

  constructor(nodes: number, from: readonly number[], to: readonly number[]) {
    this.nodes = nodes;
    this.from = from;
    this.to = to;
    this.#byFrom = group(from, nodes);
  }

  get size(): number {
    return this.nodes + this.from.length;
  }

  /**
   * Forward data-flow analysis of 32 facts as bits: the facts that hold at each node on at least one path to it. A node
   * passes on the incoming facts without `kill`, plus `make`. Each node is processed at most once per fact, so the work
   * is bounded by 32 times the size of the graph.
   */
  flow(make: Int32Array, kill: Int32Array | null): Int32Array {
    const arrives = new Int32Array(this.nodes);
    const isWaiting = new Uint8Array(this.nodes);
    const queue: number[] = [];
    for (let node = 0; node < this.nodes; node += 1) {
      if (make[node] === 0) continue;
      isWaiting[node] = 1;
      queue.push(node);
    }
    for (let head = 0; head < queue.length; head += 1) {
      const node = queue[head] as number;
      isWaiting[node] = 0;
      const leaves = ((arrives[node] as number) & ~(kill?.[node] ?? 0)) | (make[node] as number);
      const { starts, positions } = this.#byFrom;
      for (let at = starts[node] as number; at < (starts[node + 1] as number); at += 1) {
        const next = this.to[positions[at] as number] as number;
        const known = arrives[next] as number;
        if ((known | leaves) === known) continue;
        arrives[next] = known | leaves;
        if (isWaiting[next] !== 0) continue;
        isWaiting[next] = 1;
        queue.push(next);
      }
    }
    return arrives;
  }

  /** 1 for every node from which one of `goals` is reachable, including the goals. Linear. */
  leadsTo(goals: Uint8Array): Uint8Array {
    const found = goals.slice();
    const byTo = group(this.to, this.nodes);
    const stack: number[] = [];
    for (let node = 0; node < this.nodes; node += 1) if (found[node] !== 0) stack.push(node);
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      for (let at = byTo.starts[node] as number; at < (byTo.starts[node + 1] as number); at += 1) {
        const before = this.from[byTo.positions[at] as number] as number;
        if (found[before] !== 0) continue;
        found[before] = 1;
        stack.push(before);
      }
    }
    return found;
  }

  /** The strongly connected component of each node, as a number. Linear (Tarjan's algorithm). */
  findCycles(): Int32Array {
    const component = new Int32Array(this.nodes).fill(-1);
    const order = new Int32Array(this.nodes).fill(-1);
    const low = new Int32Array(this.nodes);
    const stack: number[] = [];
    let clock = 0;
    let count = 0;
    for (let root = 0; root < this.nodes; root += 1) {
      if (order[root] !== -1) continue;
      const { starts, positions } = this.#byFrom;
      const path: { node: number; at: number }[] = [];
      const enter = (node: number): void => {
        order[node] = clock;
        low[node] = clock;
        clock += 1;
        stack.push(node);
        path.push({ node, at: starts[node] as number });
      };
      enter(root);
      for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
        const { node } = top;
        if (top.at < (starts[node + 1] as number)) {
          const next = this.to[positions[top.at] as number] as number;
          top.at += 1;
          if (order[next] === -1) enter(next);
          else if (component[next] === -1) low[node] = Math.min(low[node] as number, order[next] as number);
          continue;
        }
        path.pop();
        const above = path.at(-1)?.node;
        if (above !== undefined) low[above] = Math.min(low[above] as number, low[node] as number);
        if (low[node] !== order[node]) continue;
        for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
          component[part] = count;
          if (part === node) break;
        }
        count += 1;
      }
    }
    return component;
  }
}

/**
 * Positions in a list by value: those with the value `n` are `positions[starts[n]]` up to `positions[starts[n + 1]]`.
 */
interface Groups {
  starts: Int32Array;
  positions: Int32Array;
}

/** Groups positions by value; negative values are left out. Linear. */
function group(values: readonly number[], keys: number): Groups {
  const starts = new Int32Array(keys + 1);
  for (let position = 0; position < values.length; position += 1) {
    const value = values[position] as number;
    if (value >= 0) starts[value + 1] = (starts[value + 1] as number) + 1;
  }
  for (let key = 0; key < keys; key += 1) starts[key + 1] = (starts[key + 1] as number) + (starts[key] as number);
  const next = starts.slice();
  const positions = new Int32Array(starts[keys] as number);
  for (let position = 0; position < values.length; position += 1) {
    const value = values[position] as number;
    if (value < 0) continue;
    positions[next[value] as number] = position;
    next[value] = (next[value] as number) + 1;
  }
  return { starts, positions };
}
