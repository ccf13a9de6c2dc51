import type { Emit } from '../../../shared/contract.ts';
import type { Declaration } from '../../../shared/model/external/declaration.ts';
import type { Locale } from '../../../shared/model/local-text.ts';
import type { ActionQueue } from '../action-queue.ts';
import type { PlanPorts } from '../patch/plan-ports.ts';
import type { Clock } from '../ports/host.ts';
import type { SessionLogs } from '../ports/logs.ts';
import type { Model, ModelIdentity, Models } from '../ports/models.ts';
import type { Pictures } from '../ports/stores/pictures.ts';
import type { Briefing } from '../project/briefing/briefing.ts';
import type { ProposalService, ToolRunner } from '../services.ts';
import type { Skills } from '../skills/skills.ts';
import type { ReadCaps } from '../spending/find-passed-cap.ts';
import type { Spending } from '../spending/spending.ts';
import type { DiskPorts } from './disk/disk-facts.ts';
import type { TurnLimits } from './loop/turn-guards.ts';
import type { MentionSource } from './mentions/mention-source.ts';

export interface ChatPorts {
  sessions: SessionLogs;
  pictures: Pictures;
  /** What mentions of the next message are read from. */
  mentionSource(): Promise<MentionSource>;
  proposals: ProposalService;
  /** What happened to the files on the disk is read from these. */
  disk: DiskPorts['disk'];
  transactions: DiskPorts['transactions'];
  plans: PlanPorts;
  /** Shared with every other service that changes the proposal on behalf of the user. */
  actions: ActionQueue;
  tools: ToolRunner;
  models: Models;
  clock: Clock;
  emit: Emit;
  locale(): Locale;
  /** The scripted assistant of the guided tour. */
  practice(locale: Locale): Model;
  /** The skills in the folders of the game and of the user. */
  skills: Skills;
  /** What the model is told about the game, as accepted: never text of a draft. */
  readBriefing(): Promise<Briefing>;
  spending: Spending;
  /** The amounts before which the assistant asks; null: none. */
  readCaps: ReadCaps;
  /** Stores in the settings that a tool may run without asking: as it was declared when the user was asked. */
  allowAlways(tool: string, declaration?: Declaration): Promise<void>;
  /** Stores in the settings that a service refused a picture for a model. */
  notePicturesRefused(by: ModelIdentity): Promise<void>;
  limits?: Partial<TurnLimits>;
}
