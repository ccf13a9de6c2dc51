import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** The tracked and untracked files that git does not ignore, and their texts. Tests pass another tree. */
export interface SourceTree {
  paths: string[];
  read(path: string): string;
}

export function readTree(root: string): SourceTree {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const texts = new Map<string, string>();
  return {
    // A deleted file stays in the index until the deletion is staged.
    paths: [...new Set(listed.split('\0'))].filter((path) => path !== '' && existsSync(join(root, path))).sort(),
    read(path) {
      const text = texts.get(path) ?? readFileSync(join(root, path), 'utf8');
      texts.set(path, text);
      return text;
    },
  };
}

export function toTree(texts: Record<string, string>): SourceTree {
  return { paths: Object.keys(texts).sort(), read: (path) => texts[path] ?? '' };
}

export function isTest(path: string): boolean {
  return /\.(test|spec|setup|teardown)\.tsx?$/.test(path);
}

const SCRIPT = /\.tsx?$/;

/** True for TypeScript of the product and of its build, without tests. */
export function isSource(path: string): boolean {
  return SCRIPT.test(path) && !isTest(path) && /^(main|packages|preload|renderer|shared|scripts|assets)\//.test(path);
}

export function isTypeScript(path: string): boolean {
  return SCRIPT.test(path);
}

export function parse(path: string, text: string): ts.SourceFile {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
}

/** Returns the line number of a position, from 1. */
export function lineAt(file: ts.SourceFile, position: number): number {
  return file.getLineAndCharacterOfPosition(position).line + 1;
}
