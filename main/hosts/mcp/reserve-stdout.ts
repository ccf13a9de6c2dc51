/** The only writer to the reserved stream. */
export interface ReservedStdout {
  /** Resolves when the bytes are written; rejects when the reading end is closed. */
  write(text: string): Promise<void>;
}

/**
 * Reserves standard output for the protocol. Redirects all other output, such as a library's or `console.log`, to standard
 * error, because one stray line would break the client's connection. Cannot be undone.
 */
export function reserveStdout(
  stdout: NodeJS.WriteStream = process.stdout,
  stderr: NodeJS.WriteStream = process.stderr,
): ReservedStdout {
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  // `end` can write a last chunk without calling `write`.
  stdout.end = ((last?: unknown) => {
    if (typeof last === 'string' || last instanceof Uint8Array) stderr.write(last);
    return stdout;
  }) as typeof stdout.end;
  // Without a listener, a client that disconnects would end the process in the middle of a write.
  stdout.on('error', () => undefined);
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        write(text, (error) => (error ? reject(error) : resolve()));
      }),
  };
}
