/** More than the versions that a text has while a change of it is reported. */
const MAX_PLACES = 8;

/** Positions in undo histories at which open texts were equal to their files. */
export interface SavedPlaces {
  /** Stores that a text equals this version of its file (null: no file) at a position. */
  add(path: string, version: string | null, place: number): void;
  /** Returns the newest position at which the text was equal to the version; undefined: none is stored. */
  find(path: string, version: string | null): number | undefined;
  clear(): void;
}

export function createSavedPlaces(): SavedPlaces {
  const places = new Map<string, { version: string | null; place: number }[]>();
  return {
    add(path, version, place) {
      const known = places.get(path) ?? [];
      places.set(path, [{ version, place }, ...known.filter((each) => each.version !== version)].slice(0, MAX_PLACES));
    },
    find: (path, version) => places.get(path)?.find((each) => each.version === version)?.place,
    clear: () => places.clear(),
  };
}
