import type { Tool } from '../core/capability/define-tool.ts';
import { applyPatch } from './apply-patch.ts';
import { askFollowupQuestion } from './ask-followup-question.ts';
import { askStory } from './ask-story.ts';
import { attemptCompletion } from './attempt-completion.ts';
import { browserAction } from './browser-action.ts';
import { codebaseSearch } from './codebase-search.ts';
import { deleteFile } from './delete-file.ts';
import { display } from './display.ts';
import { executeCommand } from './execute-command.ts';
import { generateCharacterProfile } from './generate-character-profile.ts';
import { getRuntimeInfo } from './get-runtime-info.ts';
import { globFileSearch } from './glob-file-search.ts';
import { grep } from './grep.ts';
import { insertAtLine } from './insert-at-line.ts';
import { listBackgroundTasks } from './list-background-tasks.ts';
import { listFiles } from './list-files.ts';
import { listProjectResources } from './list-project-resources.ts';
import { listSnapshots } from './list-snapshots.ts';
import { offerVersions } from './offer-versions.ts';
import { playtestStory } from './playtest-story.ts';
import { previewScene } from './preview-scene.ts';
import { proposeAsset } from './propose-asset.ts';
import { proposePlaceholders } from './propose-placeholders.ts';
import { proposePlan } from './propose-plan.ts';
import { readFile } from './read-file.ts';
import { readLints } from './read-lints.ts';
import { readSkill } from './read-skill.ts';
import { replaceInFile } from './replace-in-file.ts';
import { replaceLines } from './replace-lines.ts';
import { restoreSnapshot } from './restore-snapshot.ts';
import { searchFiles } from './search-files.ts';
import { stopBackgroundTask } from './stop-background-task.ts';
import { updateMemory } from './update-memory.ts';
import { updateTodoList } from './update-todo-list.ts';
import { validateScript } from './validate-script.ts';
import { viewerActionTool } from './viewer-action.ts';
import { writeToFile } from './write-to-file.ts';

/** All tools of the app. Listed explicitly, so that an assistant's abilities are decided here only. */
export const tools: readonly Tool[] = [
  applyPatch,
  askFollowupQuestion,
  askStory,
  attemptCompletion,
  browserAction,
  codebaseSearch,
  deleteFile,
  display,
  executeCommand,
  generateCharacterProfile,
  getRuntimeInfo,
  globFileSearch,
  grep,
  insertAtLine,
  listBackgroundTasks,
  listFiles,
  listProjectResources,
  listSnapshots,
  offerVersions,
  playtestStory,
  previewScene,
  proposeAsset,
  proposePlaceholders,
  proposePlan,
  readFile,
  readLints,
  readSkill,
  replaceInFile,
  replaceLines,
  restoreSnapshot,
  searchFiles,
  stopBackgroundTask,
  updateMemory,
  updateTodoList,
  validateScript,
  viewerActionTool,
  writeToFile,
];
