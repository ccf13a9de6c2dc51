import { connectLanguage } from './language/language-service.ts';
import { connectCommands } from './shell/commands.ts';
import { connectNotices } from './shell/notices.ts';
import { connectChanges } from './state/app-changes.ts';
import { connectApprovals } from './state/approval-store.ts';
import { connectAttachments } from './state/chat/attachment-store.ts';
import { connectChat } from './state/chat/chat-store.ts';
import { connectConnection } from './state/connection-store.ts';
import { connectEditor } from './state/documents/editor-store.ts';
import { connectGit } from './state/git-store.ts';
import { connectCheckpoints } from './state/history/checkpoint-store.ts';
import { connectHistory } from './state/history/history-store.ts';
import { connectPlaytest } from './state/playtest/playtest-store.ts';
import { connectStoryTests } from './state/playtest/story-tests-store.ts';
import { connectProject } from './state/project/project-store.ts';
import { connectReview } from './state/review/review-store.ts';
import { connectSettings } from './state/settings-store.ts';
import { connectStageBeside } from './state/stage/stage-beside.ts';
import { connectStage } from './state/stage/stage-store.ts';
import { connectUpdates } from './state/updates-store.ts';
import { connectFileChanges } from './workflows/changes/file-changes.ts';
import { connectOffers } from './workflows/open-project.ts';
import { connectViewer } from './workflows/viewer/serve-assistant.ts';
import { connectDrawing } from './workflows/viewer/serve-drawing.ts';

let isConnected = false;

/** Subscribes stores and workflows to the app, for the life of the page. Further calls have no effect. */
export function connectOnce(): void {
  if (isConnected) return;
  isConnected = true;
  connectConnection();
  connectSettings();
  connectProject();
  connectOffers();
  connectHistory();
  connectCheckpoints();
  connectGit();
  connectChanges();
  connectApprovals();
  connectChat();
  connectAttachments();
  connectReview();
  connectNotices();
  connectCommands();
  connectEditor();
  connectFileChanges();
  connectLanguage();
  connectStage();
  connectStageBeside();
  connectPlaytest();
  connectStoryTests();
  connectViewer();
  connectDrawing();
  connectUpdates();
}
