import type { UpdateProblem, UpdateSupport } from '../../../shared/model/updates.ts';

/** The result of a feed request. `notes` is untrusted text of the feed in any format. */
export type UpdateResult =
  | { kind: 'same' }
  | { kind: 'older' | 'unsupported'; version: string }
  | { kind: 'newer'; version: string; notes: string }
  | { kind: 'failed'; problem: UpdateProblem };

/** Updates of the app, on a host that can install them. Feed and network failures never reject. */
export interface Updates {
  support: UpdateSupport;
  /** The address of the release page. */
  page: string;
  /** Returns state of earlier runs: the last check without a newer version, and a version whose installation failed. */
  readKept(): Promise<{ checkedAt: number | null; notInstalled: string | null }>;
  keepCheck(at: number): Promise<void>;
  /** Requests the feed at the address; null: the project's release page. */
  check(feed: string | null): Promise<UpdateResult>;
  /** Downloads and verifies the version that the last check found. Resolves to the problem, or null. */
  download(onProgress: (percent: number) => void, signal: AbortSignal): Promise<UpdateProblem | null>;
  /** Installs the downloaded version and ends the process. A failure is stored and reported at the next start. */
  install(version: string): Promise<void>;
}
