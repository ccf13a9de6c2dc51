import type { ChatItem } from '../../../../../shared/model/chat.ts';

/** One kind of row. */
export type RowOf<K extends ChatItem['kind']> = Extract<ChatItem, { kind: K }>;

/** The rows of a session in order, and which of them changed. No operation depends on the number of unchanged rows. */
export interface ChatRows {
  /** Rows change in place; copy what is kept. */
  readonly items: readonly ChatItem[];
  add(item: ChatItem): void;
  /** Marks a row as changed. Accepts undefined and calls of text tools, which have no row. */
  touch(item: ChatItem | undefined): void;
  /** Computes the rows anew: `work` adds those that count; the others stay in place, set aside by `aside`. */
  replay(aside: string, work: () => void): void;
  /** Returns the index of a row. */
  placeOf(id: string): number | undefined;
  /** Returns the rows that are new or changed since the last call, with their indices, in order. */
  takeChanged(): { item: ChatItem; place: number }[];
}

export function createChatRows(): ChatRows {
  const items: ChatItem[] = [];
  const places = new Map<string, number>();
  /** Indices of changed rows. */
  const changed = new Set<number>();
  /** Ids of the rows that were added since `replay` began. */
  let replayed: Set<string> | undefined;

  const touch = (item: ChatItem | undefined): void => {
    const place = item && places.get(item.id);
    if (place !== undefined) changed.add(place);
  };

  return {
    items,
    touch,
    add(item) {
      const known = places.get(item.id);
      if (known === undefined) places.set(item.id, items.push(item) - 1);
      else items[known] = item;
      replayed?.add(item.id);
      touch(item);
    },
    replay(aside, work) {
      const before = items.map((item) => JSON.stringify(item));
      replayed = new Set();
      work();
      for (const [place, item] of items.entries()) {
        const shown = replayed.has(item.id) || item.aside !== undefined ? item : { ...item, aside };
        items[place] = shown;
        if (JSON.stringify(shown) === before[place]) changed.delete(place);
        else changed.add(place);
      }
      replayed = undefined;
    },
    placeOf: (id) => places.get(id),
    takeChanged() {
      const news = [...changed].sort((one, other) => one - other);
      changed.clear();
      return news.flatMap((place) => {
        const item = items[place];
        return item ? [{ item, place }] : [];
      });
    },
  };
}
