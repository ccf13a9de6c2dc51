import type { View } from '../../shared/model/command.ts';
import { auditLogView } from '../audit-log/view.ts';
import { capabilitiesView } from '../capabilities/view.ts';
import { writeView } from '../editor/view.ts';
import { historyView } from '../history/view.ts';
import { playtestView } from '../playtest/view.ts';
import { projectView } from '../project/view.ts';
import { reviewView } from '../review/view.ts';
import { settingsView } from '../settings/view.ts';
import type { ViewDeclaration } from '../state/view-declaration.ts';
import { storyView } from '../story/view.ts';

/** All views, in the order of the rail. */
export const VIEW_DECLARATIONS: Readonly<Record<View, ViewDeclaration>> = {
  write: writeView,
  review: reviewView,
  story: storyView,
  playtest: playtestView,
  project: projectView,
  history: historyView,
  capabilities: capabilitiesView,
  'audit-log': auditLogView,
  settings: settingsView,
};
