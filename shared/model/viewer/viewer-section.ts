import { VIEWERS, type Viewer, type ViewerAction, type ViewerWorkspace } from './viewers.ts';

/** Returns the section of the prompt about the viewers, in Markdown. */
export function toViewerSection(): string {
  const viewers = Object.values<Viewer>(VIEWERS).map(({ label, description, workspace, actions }) => {
    const rows = Object.entries(actions)
      .filter(([, { agentInvocable }]) => agentInvocable)
      .map(([id, action]) => `- ${id}${toParamList(action)}: ${action.description}`);
    return `${label} (${toWorkspaceText(workspace)}). ${description}\n${rows.join('\n')}`;
  });
  return viewers.join('\n');
}

function toParamList({ params }: ViewerAction): string {
  const names = Object.entries(params).map(([name, { type, required }]) => `${name}${required ? '' : '?'}: ${type}`);
  return names.length === 0 ? '' : ` {${names.join(', ')}}`;
}

function toWorkspaceText({ type, manifestFile }: ViewerWorkspace): string {
  if (type === 'all') return 'all files';
  return type === 'manifest' ? `scenes in the order of the story, from ${manifestFile}` : 'one view of the whole game';
}
