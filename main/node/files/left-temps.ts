import { lstatSync, rmSync } from 'node:fs';
import path from 'node:path';
import { TEMP_NAME } from './durable-file.ts';
import { readNames } from './read-names.ts';

/** A younger one may be that of a program that runs. */
const MIN_AGE_MS = 60 * 60 * 1000;

/** Removes the temp files that killed programs have left in a folder of the app. Never throws. */
export function removeLeftTemps(folder: string): void {
  try {
    for (const name of readNames(folder)) if (isTemp(name)) removeIfOld(path.join(folder, name));
  } catch {
    // The folder cannot be read: they stay.
  }
}

/** What `writeDurably` writes before it replaces a file. */
const isTemp = (name: string): boolean => name.startsWith('.') && TEMP_NAME.test(name.slice(1));

function removeIfOld(file: string): void {
  try {
    if (Date.now() - lstatSync(file).mtimeMs > MIN_AGE_MS) rmSync(file, { force: true });
  } catch {
    // Another program removed it, or it is no file: it stays.
  }
}
