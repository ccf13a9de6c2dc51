import type { Tool } from '../core/capability/define-tool.ts';
import { applyPatch } from './apply-patch.ts';
import { askFollowupQuestion } from './ask-followup-question.ts';
import { attemptCompletion } from './attempt-completion.ts';
import { codebaseSearch } from './codebase-search.ts';
import { deleteFile } from './delete-file.ts';
import { display } from './display.ts';
import { globFileSearch } from './glob-file-search.ts';
import { grep } from './grep.ts';
import { listFiles } from './list-files.ts';
import { listProjectResources } from './list-project-resources.ts';
import { listSnapshots } from './list-snapshots.ts';
import { previewScene } from './preview-scene.ts';
import { readFile } from './read-file.ts';
import { readLints } from './read-lints.ts';
import { replaceInFile } from './replace-in-file.ts';
import { restoreSnapshot } from './restore-snapshot.ts';
import { searchFiles } from './search-files.ts';
import { validateScript } from './validate-script.ts';
import { writeToFile } from './write-to-file.ts';

/** Every tool of the app. Listed by hand, so that what an assistant can do is decided here and nowhere else. */
export const tools: readonly Tool[] = [
  applyPatch,
  askFollowupQuestion,
  attemptCompletion,
  codebaseSearch,
  deleteFile,
  display,
  globFileSearch,
  grep,
  listFiles,
  listProjectResources,
  listSnapshots,
  previewScene,
  readFile,
  readLints,
  replaceInFile,
  restoreSnapshot,
  searchFiles,
  validateScript,
  writeToFile,
];
