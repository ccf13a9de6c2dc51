export interface StepTimeouts {
  /** Maximum silence until the model answers; reasoning models are slow to start. */
  firstChunk: number;
  /** Maximum silence after that. */
  chunk: number;
  /** Maximum time until the model answers, for a server that only keeps the connection alive. */
  answer?: number;
}

/**
 * Calls `onSilence` when the server sends nothing for too long, or nothing of an answer. Begins at once; `received` is called for every
 * byte and `answered` for every part of an answer.
 */
export function createSilenceTimer({ firstChunk, chunk, answer }: StepTimeouts, onSilence: (detail: string) => void) {
  let limit = firstChunk;
  const expire = () => onSilence(`The service sent nothing for ${Math.round(limit / 1000)} seconds.`);
  let timer = setTimeout(expire, limit);
  const late = setTimeout(() => onSilence('The service sent no answer.'), answer ?? Math.max(firstChunk * 4, chunk));
  const received = () => {
    clearTimeout(timer);
    timer = setTimeout(expire, limit);
  };
  return {
    received,
    answered() {
      clearTimeout(late);
      limit = chunk;
      received();
    },
    stop() {
      clearTimeout(timer);
      clearTimeout(late);
    },
  };
}
