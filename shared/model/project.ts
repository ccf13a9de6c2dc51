import { z } from 'zod';
import { EngineTraits } from '../script/engine/engine.ts';

/** Layout of the opened folder; affects only wording and which engine files are served beside the game. */
const ProjectShape = z.enum(['game', 'export', 'terre', 'engine']);

/** An open game. `id` is stable for a folder and opaque to the page; there is no absolute path in it. */
export const Project = z.object({
  id: z.string(),
  /** The folder's name. */
  folder: z.string(),
  /** `Game_name` of config.txt, else the folder's name. */
  title: z.string(),
  shape: ProjectShape,
  /** The engine version that the language service assumes. */
  engineVersion: z.string(),
  /** Traits read from the engine that the game contains. */
  engine: EngineTraits.nullish(),
});
export type Project = z.infer<typeof Project>;

export const FileKind = z.enum([
  'scene',
  'background',
  'figure',
  'bgm',
  'vocal',
  'video',
  'animation',
  'template',
  'config',
  'other',
]);
export type FileKind = z.infer<typeof FileKind>;

export const ProjectFile = z.object({ path: z.string(), kind: FileKind, bytes: z.int().min(0) });
export type ProjectFile = z.infer<typeof ProjectFile>;

/** A recently opened game. `place` is the name of its parent folder, to distinguish games with the same name. */
export const RecentProject = z.object({ id: z.string(), title: z.string(), place: z.string(), openedAt: z.number() });
export type RecentProject = z.infer<typeof RecentProject>;

/** A row of the folder chooser; `id` is issued by the app and opaque. */
export const FolderEntry = z.object({ id: z.string(), name: z.string(), isGame: z.boolean() });
/** What the folder chooser lists: the folder of `id`, else the start folder; only folders whose name contains `contains`, in any case. */
export const Browsed = z.strictObject({ id: z.string().max(200).optional(), contains: z.string().max(255).optional() });
export type Browsed = z.infer<typeof Browsed>;

export const FolderListing = z.object({
  id: z.string(),
  /** The ancestors from the file system's root, whose name is empty, to this folder, each with its id. */
  trail: z.array(z.object({ id: z.string(), name: z.string() })),
  isGame: z.boolean(),
  entries: z.array(FolderEntry),
  /** Number of further folders, left out because there are too many. */
  omitted: z.int().min(0),
});
export type FolderListing = z.infer<typeof FolderListing>;

/** Result of opening a folder: a game, or a workspace with several games to choose from. */
export const OpenResult = z.discriminatedUnion('status', [
  z.object({ status: z.literal('opened'), project: Project }),
  z.object({ status: z.literal('choose'), games: z.array(FolderEntry) }),
]);
export type OpenResult = z.infer<typeof OpenResult>;
/** Result of the system's folder dialog. */
export const PickResult = z.discriminatedUnion('status', [
  ...OpenResult.options,
  z.object({ status: z.literal('cancelled') }),
]);

/** The text of a file as used by the editor. `version` is the sha-256 (hex) of the bytes on disk. */
export const ScriptText = z.object({ path: z.string(), text: z.string(), version: z.string() });
export type ScriptText = z.infer<typeof ScriptText>;

/** Unsaved text of an open file. `version` is the version on disk that it was made from; null: unknown, or no file. */
export const UnsavedText = z.object({ path: z.string(), text: z.string(), version: z.string().nullable() });
export type UnsavedText = z.infer<typeof UnsavedText>;
