import type { DiagnosticCode } from '../../i18n/diagnostics.ts';
import { type MemoOwner, NO_MEMOS } from '../../memo.ts';
import type { Severity } from '../../model/diagnostic.ts';
import { CHECK_SETTINGS_PATH, type CheckSettings, readCheckSettings } from '../diagnostics/check-settings.ts';
import { createEngine, type Engine, type EngineTraits } from '../engine/engine.ts';
import { DEPENDS, type LineRecord } from '../syntax/analyze-line.ts';
import { LineCache } from '../syntax/line-cache.ts';
import { SceneLines } from '../syntax/scene-lines.ts';
import { FileNames } from './file-names.ts';
import { findNearNames } from './near-names.ts';
import { type ConfigEntry, scanConfig } from './project-config.ts';
import { ProjectNames, type SceneUse } from './project-names.ts';
import type { UsedFiles } from './used-files.ts';

export const SCENE_FOLDER = 'game/scene/';
/** Returns a scene as scripts and tests name it: its path relative to the folder of scenes. */
export const toSceneName = (path: string): string =>
  path.startsWith(SCENE_FOLDER) ? path.slice(SCENE_FOLDER.length) : path;
export const CONFIG_PATH = 'game/config.txt';
export const START_PATH = 'game/scene/start.txt';
export const ANIMATION_TABLE_PATH = 'game/animation/animationTable.json';
/** Runtimes of Live2D figures; the engine loads them from beside its page only. */
export const LIVE2D_RUNTIME: readonly string[] = ['lib/live2d.min.js', 'lib/live2dcubismcore.min.js'];
/** The texts besides the scenes that the index uses. */
export const SETTING_PATHS: readonly string[] = [CONFIG_PATH, ANIMATION_TABLE_PATH, CHECK_SETTINGS_PATH];

export interface ProjectIndexOptions {
  engineVersion?: string;
  /** Traits read from the engine that the game contains. */
  engine?: EngineTraits | null;
}

/**
 * What the rules use of a game: its files, scenes, names and settings. Updated incrementally by the owner of the
 * project; a changed scene costs only its changed lines. Pure, synchronous, never throws on hostile text.
 */
export class ProjectIndex implements MemoOwner {
  memos = NO_MEMOS;
  readonly engine: Engine;
  readonly files = new FileNames();
  readonly #names = new ProjectNames();
  /** The counts of `ProjectNames`. */
  readonly written = this.#names.written;
  readonly inputs = this.#names.inputs;
  readonly speakers = this.#names.speakers;
  readonly figures = this.#names.figures;
  readonly oldCommands = this.#names.oldCommands;
  readonly engineCommands = this.#names.engineCommands;
  readonly #scenes = new Map<string, SceneLines>();
  readonly #lines: LineCache;
  #checkSettings: CheckSettings | null = null;
  readonly #near = new Map<string, readonly string[]>();
  #config: readonly ConfigEntry[] | null = null;
  #configKeys = new Set<string>();
  #animations: ReadonlySet<string> | null = null;
  #clock = 1;
  /** Grows when the shape of any scene or the severities change. */
  #others = 0;
  readonly #changedAt = new Map<number, number>();

  constructor(options: ProjectIndexOptions = {}) {
    this.engine = createEngine(options.engineVersion, options.engine);
    this.#lines = new LineCache(this.engine);
  }

  get engineVersion(): string {
    return this.engine.version;
  }

  /**
   * Sets the project's complete file list. Scenes that were given as texts count as files even when they are not
   * listed.
   */
  setFiles(paths: Iterable<string>): void {
    this.files.setAll(paths);
    for (const path of this.#scenes.keys()) this.files.add(path);
    this.files.isKnown = true;
    this.#changed(DEPENDS.files | DEPENDS.animations);
  }

  addFile(path: string): void {
    if (this.files.add(path)) this.#changed(DEPENDS.files | DEPENDS.animations);
  }

  removeFile(path: string): void {
    if (this.files.remove(path)) this.#changed(DEPENDS.files | DEPENDS.animations);
  }

  /** Sets a text of the project: a scene or one of `SETTING_PATHS`. Others are ignored. */
  setText(path: string, text: string): void {
    if (path === CONFIG_PATH) this.setConfig(text);
    else if (path === ANIMATION_TABLE_PATH) this.setAnimationTable(text);
    else if (path === CHECK_SETTINGS_PATH) this.#setCheckSettings(readCheckSettings(text));
    else if (path.startsWith(SCENE_FOLDER)) this.setScene(path, text);
  }

  /** Sets a scene's text, new or changed. */
  setScene(path: string, text: string): void {
    let scene = this.#scenes.get(path);
    if (scene === undefined) {
      scene = new SceneLines(path, this.engine, this.#lines);
      this.#scenes.set(path, scene);
      this.addFile(path);
    }
    const { shape } = scene;
    scene.update(text, (removed, added) => this.#recount(removed, added));
    if (scene.shape !== shape) this.#others += 1;
  }

  removeScene(path: string): void {
    const scene = this.#scenes.get(path);
    if (scene === undefined) return;
    this.#scenes.delete(path);
    this.#others += 1;
    this.#recount(scene.records, []);
    this.removeFile(path);
  }

  /** Removes a file of any kind. */
  removeText(path: string): void {
    if (path === CONFIG_PATH) this.#setConfig(null);
    else if (path === ANIMATION_TABLE_PATH) this.#setAnimations(null);
    else if (path === CHECK_SETTINGS_PATH) this.#setCheckSettings(null);
    else if (path.startsWith(SCENE_FOLDER)) this.removeScene(path);
    this.removeFile(path);
  }

  setConfig(text: string): void {
    this.#setConfig(scanConfig(text));
  }

  /** Sets the names in animationTable.json; a table that is not a list of names counts as unknown. */
  setAnimationTable(text: string): void {
    let names: unknown;
    try {
      names = JSON.parse(text.replace(/^\ufeff/, ''));
    } catch {
      // A malformed table: animations are not checked.
      names = null;
    }
    this.#setAnimations(Array.isArray(names) ? new Set(names.filter((name) => typeof name === 'string')) : null);
  }

  /** The severities that the project sets; null when it has no settings. */
  get checkSettings(): CheckSettings | null {
    return this.#checkSettings;
  }

  severityOf(code: DiagnosticCode, own: Severity): Severity | 'off' {
    return this.#checkSettings?.severities.get(code) ?? own;
  }

  /** Frees what is useful only while many scenes are set; more can be set later. */
  endLoading(): void {
    this.#lines.clear();
  }

  scene(path: string): SceneLines | undefined {
    return this.#scenes.get(path);
  }

  scenes(): Iterable<SceneLines> {
    return this.#scenes.values();
  }

  get config(): readonly ConfigEntry[] | null {
    return this.#config;
  }

  /** The last value of a key in config.txt. */
  configValue(key: string): string | undefined {
    return this.#config?.findLast((entry) => entry.key === key)?.value;
  }

  /** Null when the table is unknown. */
  get animations(): ReadonlySet<string> | null {
    return this.#animations;
  }

  hasVariable(name: string): boolean {
    return this.written.has(name) || this.inputs.has(name) || this.#configKeys.has(name);
  }

  *variables(): Generator<string> {
    yield* this.written.names();
    yield* this.inputs.names();
    yield* this.#configKeys;
  }

  /** The files that scripts name; a new list, to which others can be added. */
  usedFiles(): UsedFiles {
    return this.#names.usedFiles(this.files);
  }

  /** True when any script unlocks something in the gallery. */
  get hasUnlocks(): boolean {
    return this.#names.hasUnlocks;
  }

  sceneUse(scenePath: string): SceneUse {
    return this.#names.sceneUse(scenePath);
  }

  /**
   * Similar names among the project's variables, figure ids, animations or speakers; bounded work per state of them.
   */
  near(kind: 'variable' | 'figure' | 'animation' | 'speaker', name: string): readonly string[] {
    const key = `${kind}\u0000${name}`;
    const known = this.#near.get(key);
    if (known !== undefined) return known;
    if (this.#near.size > 300) return [];
    const found = findNearNames(name, this.#candidates(kind), 1);
    this.#near.set(key, found);
    return found;
  }

  #candidates(kind: 'variable' | 'figure' | 'animation' | 'speaker'): Iterable<string> {
    if (kind === 'variable') return this.variables();
    if (kind === 'figure') return this.figures.names();
    if (kind === 'speaker') return this.speakers.names();
    return this.#animations ?? [];
  }

  /** Clock of the last change to project data with any of these bits of `DEPENDS`. */
  changedAt(depends: number): number {
    const known = this.#changedAt.get(depends);
    if (known !== undefined) return known;
    let latest = 1;
    for (let bit = 1; bit <= DEPENDS.commands; bit *= 2) {
      if (depends & bit && depends !== bit) latest = Math.max(latest, this.changedAt(bit));
    }
    this.#changedAt.set(depends, latest);
    return latest;
  }

  get clock(): number {
    return this.#clock;
  }

  /** Unchanged as long as only the text of single lines changed: then no other line needs to be checked again. */
  get stamp(): number {
    return this.#clock + this.#others + this.#names.revision;
  }

  /** Grows whenever a scene is added, removed or changes its shape. */
  get shapes(): number {
    return this.#others;
  }

  #changed(bits: number): void {
    this.#clock += 1;
    const singles: [number, number][] = [];
    for (let bit = 1; bit <= DEPENDS.commands; bit *= 2) {
      singles.push([bit, bits & bit ? this.#clock : (this.#changedAt.get(bit) ?? 1)]);
    }
    this.#changedAt.clear();
    for (const [bit, at] of singles) this.#changedAt.set(bit, at);
    this.#near.clear();
  }

  #setConfig(entries: readonly ConfigEntry[] | null): void {
    this.#config = entries;
    this.#configKeys = new Set((entries ?? []).map((entry) => entry.key));
    this.#changed(DEPENDS.config | DEPENDS.variables);
  }

  #setCheckSettings(settings: CheckSettings | null): void {
    this.#checkSettings = settings;
    this.#others += 1;
  }

  #setAnimations(names: ReadonlySet<string> | null): void {
    this.#animations = names;
    this.#changed(DEPENDS.animations);
  }

  #recount(removed: readonly LineRecord[], added: readonly LineRecord[]): void {
    const changed = this.#names.recount(removed, added);
    if (changed !== 0) this.#changed(changed);
  }
}

/** Creates an empty index. */
export function createProjectIndex(options: ProjectIndexOptions = {}): ProjectIndex {
  return new ProjectIndex(options);
}
