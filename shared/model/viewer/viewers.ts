/**
 * What the assistant can see and do in the window: the owner's viewer contract. Each viewer declares how its items are
 * organised and its actions. The tool, its description in the prompt, and the handlers of the page are derived from this
 * declaration.
 */

/** How the items of a viewer are organised. `all`: equal files; `manifest`: an order of the story; `single`: one view of everything. */
export interface ViewerWorkspace {
  type: 'all' | 'manifest' | 'single';
  multiFile: boolean;
  ordered: boolean;
  hasActiveFile: boolean;
  /** The file that the order begins with, for `manifest`. */
  manifestFile?: string;
}

export interface ViewerParam {
  type: 'string' | 'number' | 'boolean';
  description: string;
  required?: true;
}

export interface ViewerAction {
  label: string;
  category: 'file' | 'navigate' | 'ui' | 'custom';
  /** False for an action that only the user has. */
  agentInvocable: boolean;
  /** `changes`: it changes what the user sees, so plan mode does not have it. */
  effect: 'reads' | 'changes';
  params: Readonly<Record<string, ViewerParam>>;
  description: string;
}

/** One item of a viewer: a file, or a scene in its place in the story. */
export interface WorkspaceItem {
  path: string;
  label: string;
  /** Place in the order, from 0; only where the items are ordered. */
  index?: number;
  metadata?: Record<string, string | number | boolean>;
}

export interface Viewer {
  label: string;
  description: string;
  workspace: ViewerWorkspace;
  actions: Readonly<Record<string, ViewerAction>>;
}

const SCENE = {
  type: 'string',
  description: 'Scene file: game/scene/start.txt, or start.txt',
  required: true,
} as const satisfies ViewerParam;

/** The parts that actions have in common. */
const changes = { agentInvocable: true, effect: 'changes' } as const;
const reads = { agentInvocable: true, effect: 'reads' } as const;

export const VIEWERS = {
  editor: {
    label: 'Script editor',
    description: 'The text of the open file.',
    workspace: { type: 'all', multiFile: true, ordered: false, hasActiveFile: true },
    actions: {
      'describe-view': {
        ...reads,
        label: 'Describe the view',
        category: 'custom',
        params: {},
        description:
          'What the user has in view: open file, cursor, selection, visible lines, problems, and what the stage shows.',
      },
      'list-items': {
        ...reads,
        label: 'List the items of a viewer',
        category: 'file',
        params: { viewer: { type: 'string', description: 'editor, stage or map', required: true } },
        description:
          'The items of a viewer in its order: files of the editor with their tabs, scenes of the stage in story order.',
      },
      'navigate-to': {
        ...changes,
        label: 'Go to a line',
        category: 'navigate',
        params: {
          scene: SCENE,
          line: { type: 'number', description: 'Line, counted from 1' },
          label: { type: 'string', description: 'Name of a label in the scene, instead of a line' },
        },
        description: 'Opens a scene at a line or label, in the editor and on the stage.',
      },
      'select-lines': {
        ...changes,
        label: 'Select lines',
        category: 'navigate',
        params: {
          scene: SCENE,
          from: { type: 'number', description: 'First line, counted from 1', required: true },
          to: { type: 'number', description: 'Last line; without it only the first one' },
        },
        description: 'Opens a scene and selects lines, to show the user what you mean.',
      },
      highlight: {
        ...changes,
        label: 'Highlight lines',
        category: 'navigate',
        params: {
          scene: SCENE,
          from: { type: 'number', description: 'First line, counted from 1', required: true },
          to: { type: 'number', description: 'Last line; without it only the first one' },
        },
        description: 'Marks lines for some seconds. Cursor and selection of the user stay where they are.',
      },
      'ui:show-assistant': {
        ...changes,
        label: 'Show or hide the assistant',
        category: 'ui',
        params: { open: { type: 'boolean', description: 'false: hide it' } },
        description: 'Shows or hides the conversation.',
      },
    },
  },
  stage: {
    label: 'Stage',
    description: 'The running game.',
    workspace: {
      type: 'manifest',
      multiFile: true,
      ordered: true,
      hasActiveFile: true,
      manifestFile: 'game/scene/start.txt',
    },
    actions: {
      step: {
        ...changes,
        label: 'Play on',
        category: 'navigate',
        params: { back: { type: 'boolean', description: 'true: to the line before' } },
        description: 'Plays to the next line at which the player stops, and says what the stage then shows.',
      },
      choose: {
        ...changes,
        label: 'Choose an option',
        category: 'navigate',
        params: {
          option: {
            type: 'string',
            description: 'Text of an option of the menu on the stage, or its number, counted from 1',
            required: true,
          },
        },
        description: 'Chooses an option of the menu that the stage shows, and says what it shows then.',
      },
      'set-variable': {
        ...changes,
        label: 'Set a variable',
        category: 'custom',
        params: {
          name: { type: 'string', description: 'Name of the variable', required: true },
          value: { type: 'string', description: 'Number, true, false or text', required: true },
          global: { type: 'boolean', description: 'true: the one that scripts set with -global' },
        },
        description: 'Sets a variable of the running story, to see what depends on it. The script stays as it is.',
      },
      'capture-screenshot': {
        ...reads,
        label: 'Take a picture',
        category: 'custom',
        params: { window: { type: 'boolean', description: 'true: the whole window; only if the user asks for it' } },
        description: 'A picture of the stage, if you can see pictures, and what it shows in words.',
      },
      'reload-stage': {
        ...changes,
        label: 'Start the engine again',
        category: 'custom',
        params: {},
        description: 'Loads the engine again, which then reads pictures and settings anew.',
      },
      'ui:show-stage': {
        ...changes,
        label: 'Show or hide the stage',
        category: 'ui',
        params: { open: { type: 'boolean', description: 'false: hide it' } },
        description: 'Shows or hides the stage.',
      },
      'ui:fullscreen': {
        ...changes,
        label: 'Enlarge the stage',
        category: 'ui',
        params: { on: { type: 'boolean', description: 'false: back to its place' } },
        description: 'Lets the stage fill the window, or puts it back.',
      },
    },
  },
  map: {
    label: 'Story map',
    description: 'All scenes and the ways between them.',
    workspace: { type: 'single', multiFile: false, ordered: false, hasActiveFile: false },
    actions: {
      'show-on-map': {
        ...changes,
        label: 'Show a scene on the map',
        category: 'navigate',
        params: { scene: SCENE },
        description: 'Opens the story map at a scene.',
      },
      'open-asset': {
        ...changes,
        label: 'Show a picture or sound',
        category: 'file',
        params: { path: { type: 'string', description: 'game/background/school.webp', required: true } },
        description: 'Shows a file of the game that is no scene.',
      },
      'ui:show-view': {
        ...changes,
        label: 'Switch the view',
        category: 'ui',
        params: {
          view: { type: 'string', description: 'write, review, project, history or story', required: true },
        },
        description: 'Switches the middle of the window: texts, proposal, files, history or story map.',
      },
    },
  },
} as const satisfies Record<string, Viewer>;
