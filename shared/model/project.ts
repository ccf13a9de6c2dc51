import { z } from 'zod';
import { EngineTraits } from '../script/engine.ts';

/** How the opened folder is laid out; decides nothing but wording and which engine files stand beside the game. */
export const ProjectShape = z.enum(['game', 'export', 'terre', 'engine']);

/** An open game. `id` is stable for a folder and opaque to the page; no absolute path is in here. */
export const Project = z.object({
  id: z.string(),
  /** The folder's name. */
  folder: z.string(),
  /** `Game_name` of config.txt, else the folder's name. */
  title: z.string(),
  shape: ProjectShape,
  /** The engine version the language service assumes. */
  engineVersion: z.string(),
  /** What was read from the engine that the game brings along. */
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

/** A game opened before. `place` is the name of the folder it lies in, for telling two of the same name apart. */
export const RecentProject = z.object({ id: z.string(), title: z.string(), place: z.string(), openedAt: z.number() });
export type RecentProject = z.infer<typeof RecentProject>;

/** A row of the folder chooser; `id` is handed out by the app and means nothing elsewhere. */
export const FolderEntry = z.object({ id: z.string(), name: z.string(), isGame: z.boolean() });
export const FolderListing = z.object({
  id: z.string(),
  /** From the machine itself, whose name is empty, down to this folder, each with the id to go there. */
  trail: z.array(z.object({ id: z.string(), name: z.string() })),
  isGame: z.boolean(),
  entries: z.array(FolderEntry),
});
export type FolderListing = z.infer<typeof FolderListing>;

/** What opening a folder came to: a game, or a workspace of several games to choose from. */
export const OpenResult = z.discriminatedUnion('status', [
  z.object({ status: z.literal('opened'), project: Project }),
  z.object({ status: z.literal('choose'), games: z.array(FolderEntry) }),
]);
export type OpenResult = z.infer<typeof OpenResult>;

/** The text of a file as the editor works with it. `version` is the sha-256 (hex) of the bytes on disk. */
export const ScriptText = z.object({ path: z.string(), text: z.string(), version: z.string() });
export type ScriptText = z.infer<typeof ScriptText>;

/** Text of an open file that is on no disk yet. `version` is the disk's that it was made from; null: unknown, or no file. */
export const UnsavedText = z.object({ path: z.string(), text: z.string(), version: z.string().nullable() });
export type UnsavedText = z.infer<typeof UnsavedText>;
