/** An earlier shape of a call: another name or an older major version. */
export interface EarlierShape {
  /** The earlier name, if it was different. */
  name?: string;
  major: number;
  /** Converts the arguments to the current version; null rejects such calls. The result is parsed strictly. */
  adapt: ((input: Record<string, unknown>) => Record<string, unknown>) | null;
}
