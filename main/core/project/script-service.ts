import type { Emit, Output, Parsed } from '../../../shared/contract.ts';
import { AppError, toErrorData } from '../../../shared/errors.ts';
import { projectTexts } from '../../../shared/i18n/project.ts';
import type { Locale } from '../../../shared/model/local-text.ts';
import type { ScriptText } from '../../../shared/model/project.ts';
import { applyOffsetEdits } from '../../../shared/text/text-edit.ts';
import type { ActionQueue } from '../action-queue.ts';
import type { Clock } from '../ports/host.ts';
import type { Workspace } from '../ports/workspace.ts';
import { refuseAsset } from '../proposal/text-change.ts';
import type { Buffers, Draft, ProposalService } from '../services.ts';
import { mergeTexts } from '../text/merge-texts.ts';
import { createEditSessions } from './edit-sessions.ts';
import { toEditorText, toFileText } from './editor-text.ts';
import { createProjectListing, type ProjectListing } from './project-listing.ts';
import type { BaseTexts } from './unsaved/base-texts.ts';

/** The user's reading and writing of the open game's files. */
export interface ScriptService extends ProjectListing {
  scenes(paths: readonly string[]): Promise<Output<'project.scenes'>>;
  read(path: string): Promise<ScriptText>;
  /** Saves a text. `version` null: a new file. Throws `E_CONFLICT` if the version on disk differs from `version`. */
  save(request: { path: string; text: string; version: string | null }): Promise<{ version: string }>;
  /** Saves the unsaved text at `revision`; `version` null: there is another one, nothing was written. Throws like `save`. */
  saveBuffer(request: Parsed<'script.saveBuffer'>): Promise<Output<'script.saveBuffer'>>;
  /** Applies edits to the unsaved text, or to the disk's at `base`. Returns false if their base is another text. */
  editBuffer(change: Parsed<'script.editBuffer'>): boolean;
  /** Merges unsaved text based on `version` with the current file. Throws `E_NOT_FOUND` if it was deleted. */
  merge(request: Parsed<'script.merge'>): Promise<Output<'script.merge'>>;
  /**
   * Submits changes of several files for review, in file style. Throws `E_CONFLICT` for a file whose version differs, while the
   * assistant works and while another proposal waits.
   */
  propose(request: Parsed<'script.propose'>): Promise<void>;
}

export interface ScriptServicePorts {
  workspace: Pick<Workspace, 'reader' | 'writer'>;
  buffers: Buffers;
  bases: BaseTexts;
  proposals: Pick<ProposalService, 'propose'>;
  actions: Pick<ActionQueue, 'run'>;
  clock: Clock;
  emit: Emit;
  locale: () => Locale;
}

export function createScriptService(ports: ScriptServicePorts): ScriptService {
  const { workspace, buffers, bases, proposals, actions, clock, emit, locale } = ports;
  const sessions = createEditSessions(clock);
  const { listing, files } = createProjectListing(workspace.reader, emit);

  const read = (path: string) => readScript(workspace.reader, path);

  const readForEditor = async (path: string): Promise<ScriptText> => {
    const file = await read(path);
    bases.remember(file.version, file.text);
    return file;
  };

  const save: ScriptService['save'] = async ({ path, text, version }) => {
    const styled = version === null ? text : toFileText(text, await readBase(workspace.reader, path, version));
    const [written] = await workspace.writer.apply([{ path, text: styled, base: version }], {
      origin: 'writer',
      group: sessions.groupOf(path, version),
      title: toTitle({ path, version }, locale()),
    });
    if (buffers.all().get(path) === text) buffers.set(path, null);
    if (!written) return { version: (await workspace.reader.read(path)).version };
    sessions.continueAt(path, written.version);
    emit('history.changed', {});
    if (written.version === null) throw new AppError('E_IO', `"${path}" could not be saved.`);
    bases.remember(written.version, toEditorText(text));
    return { version: written.version };
  };

  return {
    listing,
    files,
    read: readForEditor,

    async merge({ path, text, version, base }) {
      const theirs = await readForEditor(path);
      const known = version === null ? null : (bases.find(version) ?? (base && toEditorText(base)));
      return { theirs, parts: mergeTexts({ base: known, mine: toEditorText(text), theirs: theirs.text }) };
    },

    editBuffer({ path, base, edits, length, version, revision }) {
      const held = buffers.all().get(path);
      const isBase = held === undefined ? base === version : base === buffers.revision(path);
      const before = isBase ? (held ?? bases.find(base)) : null;
      const text = before === null ? null : applyOffsetEdits(before, edits, length);
      if (text !== null) buffers.set(path, text, { version, revision });
      return text !== null;
    },

    async scenes(paths) {
      const scenes: ScriptText[] = [];
      const unreadable: Output<'project.scenes'>['unreadable'] = [];
      for (const path of paths) {
        try {
          scenes.push(await read(path));
        } catch (error) {
          unreadable.push({ path, error: toErrorData(error) });
        }
      }
      return { scenes, unreadable };
    },

    save,

    async saveBuffer({ path, revision, version }) {
      const text = buffers.all().get(path);
      if (text === undefined || buffers.revision(path) !== revision) return { version: null };
      return save({ path, text, version });
    },

    async propose({ title, changes }) {
      const drafts = await Promise.all(changes.map((change) => toDraft(workspace.reader, change)));
      await actions.run(() => proposals.propose(title, drafts));
    },
  };
}

async function readScript(reader: Workspace['reader'], path: string): Promise<ScriptText> {
  refuseAsset(path);
  const file = await reader.read(path);
  return { path: file.path, text: toEditorText(file.text), version: file.version };
}

/** Returns the draft of a change, in the style of the file that it replaces or moves. */
async function toDraft(
  reader: Workspace['reader'],
  { path, text, version, from }: Parsed<'script.propose'>['changes'][number],
): Promise<Draft> {
  refuseAsset(path);
  const before = version === null ? null : await readBase(reader, path, version);
  const model = before ?? (from === undefined ? null : (await reader.read(from)).text);
  const styled = text === null || model === null ? text : toFileText(text, model);
  return { path, base: version, before, text: styled, ...(from !== undefined && { from }) };
}

/** Returns the text on disk. Throws `E_CONFLICT` if its version is not `version`; the writer checks again. */
async function readBase(reader: Workspace['reader'], path: string, version: string): Promise<string> {
  const file = await reader.read(path);
  if (file.version === version) return file.text;
  throw new AppError('E_CONFLICT', `"${path}" changed on disk since it was read.`, {
    details: { paths: [path] },
    hint: 'Read it again; nothing was written.',
  });
}

function toTitle({ path, version }: { path: string; version: string | null }, locale: Locale): string {
  const name = path.split('/').at(-1) ?? path;
  return projectTexts.translate(locale, version === null ? 'created' : 'edited', { name });
}
