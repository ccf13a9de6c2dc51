import { DEPENDS, type LineRecord } from '../syntax/analyze-line.ts';
import type { Reference } from '../syntax/line-report.ts';
import { type FileNames, toFilePath } from './file-names.ts';
import { NameCounts } from './name-counts.ts';
import { UsedFiles } from './used-files.ts';

/** Number of references to a scene: `entered` by a change of scene or a choice, `called` by callScene. */
export interface SceneUse {
  entered: number;
  called: number;
}

/** Counts of the names that a game's scenes use, by kind. */
export class ProjectNames {
  /** Names assigned by setVar. */
  readonly written = new NameCounts();
  /** Names assigned by getUserInput. */
  readonly inputs = new NameCounts();
  readonly speakers = new NameCounts();
  /** Ids of free figures. */
  readonly figures = new NameCounts();
  /** Commands of old engines, as used in scripts. */
  readonly oldCommands = new NameCounts();
  /** Commands that only the game's own engine has. */
  readonly engineCommands = new NameCounts();
  readonly #assets = new Map<string, NameCounts>();
  /** Words in assignments that look like file names: a variable may contain one. */
  readonly #mentioned = new NameCounts();
  #unlocks = 0;
  readonly #entered = new NameCounts();
  readonly #called = new NameCounts();

  /** True when any script unlocks something in the gallery. */
  get hasUnlocks(): boolean {
    return this.#unlocks > 0;
  }

  /** Grows when a speaker, or a reference to a scene, is added, removed, or becomes or ceases to be the only one. */
  get revision(): number {
    return this.speakers.revision + this.#entered.revision + this.#called.revision;
  }

  sceneUse(scenePath: string): SceneUse {
    return { entered: this.#entered.count(scenePath), called: this.#called.count(scenePath) };
  }

  /** The files that scripts name. */
  usedFiles(files: FileNames): UsedFiles {
    const used = new UsedFiles(this.#mentioned.names());
    for (const [folder, names] of this.#assets) {
      for (const name of names.names()) {
        const cut = files.cutOff(folder, name);
        used.add(toFilePath(folder, name));
        if (cut !== undefined) used.add(toFilePath(folder, cut));
      }
    }
    return used;
  }

  /** Counts the names of added and removed lines. Returns the bits of `DEPENDS` whose data changed. */
  recount(removed: readonly LineRecord[], added: readonly LineRecord[]): number {
    let changed = 0;
    // Added first: a name that only moved within the change is never removed.
    for (const record of added) changed |= this.#count(record, 1);
    for (const record of removed) changed |= this.#count(record, -1);
    return changed;
  }

  #count(record: LineRecord, by: number): number {
    let changed = 0;
    if (record.speaker !== null && this.speakers.change(record.speaker, by)) changed |= DEPENDS.speakers;
    if (record.references === null) return changed;
    for (const reference of record.references) {
      switch (reference.role) {
        case 'asset':
          this.#countAsset(reference, by);
          break;
        case 'write':
          if (this.written.change(reference.name, by)) changed |= DEPENDS.variables;
          if (record.text.includes('.'))
            for (const word of record.text.split(/[=;\s]/)) this.#mentioned.change(word, by);
          break;
        case 'input':
          if (this.inputs.change(reference.name, by)) changed |= DEPENDS.variables;
          break;
        case 'old-command':
          this.oldCommands.change(reference.name, by);
          changed |= DEPENDS.commands;
          break;
        case 'engine-command':
          this.engineCommands.change(reference.name, by);
          break;
        case 'figure':
          if (this.figures.change(reference.name, by)) changed |= DEPENDS.figures;
          break;
        case 'scene':
          (reference.note === 'callScene' ? this.#called : this.#entered).change(
            toFilePath('scene', reference.name),
            by,
          );
          break;
        default:
      }
    }
    return changed;
  }

  #countAsset(reference: Reference, by: number): void {
    const folder = reference.folder ?? '';
    let names = this.#assets.get(folder);
    if (names === undefined) {
      names = new NameCounts();
      this.#assets.set(folder, names);
    }
    names.change(reference.name, by);
    if (reference.note === 'unlockCg' || reference.note === 'unlockBgm') this.#unlocks += by;
  }
}
