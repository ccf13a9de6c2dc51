import { useEffect, useState } from 'react';
import { createSerialQueue } from '../../../shared/async.ts';
import type { ChangedEntry } from '../../../shared/model/checkpoint.ts';
import { api } from '../../api.ts';

/** Larger pictures are not sent for a thumbnail. */
const MAX_BYTES = 4 * 1024 * 1024;
/** One at a time: a list shows many at once, and each is sent whole. */
const queue = createSerialQueue();

/** A changed picture in one of the two states. */
export interface KeptPictureRequest {
  /** The checkpoint; null: the present. */
  id: string | null;
  /** A new comparison has new ones: the file may have changed. */
  file: ChangedEntry;
  side: 'before' | 'after';
}

/** Returns the address of a picture in one state; null until it is read, and where there is none to show. */
export function useKeptPicture({ id, file, side }: KeptPictureRequest): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    setAddress(null);
    const bytes = file[side];
    if (bytes === null || bytes > MAX_BYTES) return;
    const read = async (): Promise<void> => {
      // A row that was scrolled away needs none.
      if (!isCurrent) return;
      const kept = await api.call('checkpoints.file', { id, path: file.path });
      if (isCurrent && kept.kind === 'picture') setAddress(`data:${kept.type};base64,${kept.data}`);
    };
    // The row stays without a thumbnail; the opened file says why.
    queue.run(read).catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [id, file, side]);
  return address;
}
