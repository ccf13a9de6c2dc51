import type { ErrorData } from '../../../shared/errors.ts';
import type { LeftOutFile } from '../../../shared/model/checkpoint.ts';
import type { StateChange, StateFile } from '../../core/ports/stores/checkpoints.ts';
import type { FileIdentity, ScanPlace } from './scan-folder.ts';

/** What a running task tells its caller, and what the caller tells it. */
export interface TaskContext {
  isStopped(): boolean;
  report(files: number, total: number, bytes: number): void;
}

/** What `keep` does. */
export interface KeepOptions {
  /** Bytes that the store may take. Null: nothing is added, the files are only hashed. */
  limit: number | null;
  maxFileBytes: number;
}

export interface KeptState {
  /** The hash of the tree object; null unless files were added. */
  tree: string | null;
  epoch: string;
  files: number;
  bytes: number;
  leftOut: LeftOutFile[];
}

/** A checkpoint as the retention sees it. */
export interface PlannedState {
  id: string;
  tree: string;
  isAutomatic: boolean;
  isPinned: boolean;
}

/** A file that replaces one of the game, or null to remove it. */
export interface StagingFile {
  path: string;
  /** Absolute. */
  target: string;
  /** The hash that `target` must have; null: it must not exist. */
  before: string | null;
  /** `file`: the absolute path of the copy to make. */
  copy: { file: string; mode: number; hash: string; bytes: number } | null;
}

/** `identity`: of the file at `target` that has the wanted hash; null: none is there. */
export type StagingResult = { status: 'ready'; identity: FileIdentity | null } | { status: 'damaged' | 'changed' };

/** What the thread does, by kind. `store` is the absolute folder of the store. */
export interface TaskTypes {
  keep: { input: { place: ScanPlace; options: KeepOptions }; output: KeptState };
  /** Whether all objects of a tree are stored. */
  isWhole: { input: { tree: string }; output: boolean };
  /** Null for a tree that is missing or damaged. `to` null: the state of the last `keep`. */
  compare: { input: { from: string; to: string | null }; output: StateChange[] | null };
  find: { input: { tree: string; path: string }; output: { file: StateFile | null } | null };
  /** Returns the ids of checkpoints to remove. */
  plan: { input: { states: PlannedState[]; automatic: number; bytes: number }; output: string[] };
  collect: { input: { trees: string[] }; output: number };
  measure: { input: Record<string, never>; output: number };
  stage: { input: { files: StagingFile[] }; output: StagingResult[] };
  /** Returns whether each file has the hash; null: does not exist. */
  verify: { input: { files: { target: string; hash: string | null }[] }; output: boolean[] };
}

export type TaskKind = keyof TaskTypes;

/** Runs tasks of checkpoints, one at a time. */
export interface CheckpointTasks {
  run<K extends TaskKind>(
    kind: K,
    input: TaskTypes[K]['input'],
    work?: { signal?: AbortSignal; onProgress?: (files: number, total: number, bytes: number) => void },
  ): Promise<TaskTypes[K]['output']>;
  close(): Promise<void>;
}

export interface TaskMessage {
  kind: TaskKind;
  store: string;
  input: unknown;
}

export type TaskAnswer = { ok: true; output: unknown } | { ok: false; error: ErrorData };
