/** What the reserved stream is left with: the one way to the client. */
export interface ReservedStdout {
  /** Resolves when the bytes are handed over, rejects when nobody reads any more. */
  write(text: string): Promise<void>;
}

/**
 * Keeps standard output for the protocol alone. Whatever else prints there, a library or `console.log`, lands on
 * standard error: one stray line would break the client's connection. Cannot be taken back.
 */
export function reserveStdout(
  stdout: NodeJS.WriteStream = process.stdout,
  stderr: NodeJS.WriteStream = process.stderr,
): ReservedStdout {
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  // Last words take another way into the stream than all others.
  stdout.end = ((last?: unknown) => {
    if (typeof last === 'string' || last instanceof Uint8Array) stderr.write(last);
    return stdout;
  }) as typeof stdout.end;
  // Without a listener a client that goes away would end the process in the middle of a write.
  stdout.on('error', () => undefined);
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        write(text, (error) => (error ? reject(error) : resolve()));
      }),
  };
}
