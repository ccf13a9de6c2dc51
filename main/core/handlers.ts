import type { z } from 'zod';
import type { Emit, Method, methods, Parsed } from '../../shared/contract.ts';
import { AppError } from '../../shared/errors.ts';
import type { capabilityMethods } from '../../shared/model/capability/capability-methods.ts';
import type { conversationMethods } from '../../shared/model/conversation/conversation-methods.ts';
import { toLocale } from '../../shared/model/local-text.ts';
import type { StageState } from '../../shared/model/stage.ts';
import type { AuditService } from './capability/audit/audit-service.ts';
import type { ConnectionsService } from './capability/connections/connections-service.ts';
import { createExternalHandlers } from './external/external-handlers.ts';
import type { ExternalService } from './external/external-service.ts';
import { createPlaytestHandlers, type PlaytestMethods } from './playtest/service/playtest-handlers.ts';
import type { Host } from './ports/host.ts';
import type { Ports } from './ports/ports.ts';
import type { ProjectService } from './project/project-service.ts';
import type { SettingsService } from './settings/settings-service.ts';
import type { Spending } from './spending/spending.ts';
import { captureStage } from './stage/capture-stage.ts';
import { createTerreHandlers } from './terre/terre-service.ts';
import type { UpdatesService } from './updates/updates-service.ts';

/** One handler per method of the contract; a missing, extra or mistyped one does not compile. */
export type Handlers = {
  [M in Method]: (input: Parsed<M>) => Promise<z.input<(typeof methods)[M]['output']>>;
};

const STAGE_OFF: StageState = { status: 'off', url: null, place: null, isAtPlace: false, shown: null, problems: [] };

interface Services {
  emit: Emit;
  ports: Ports;
  settings: SettingsService;
  project: ProjectService;
  updates: UpdatesService;
  spending: Spending;
  external: ExternalService;
  connections: ConnectionsService;
  /** What the user changed in the app, without a game. */
  audit: AuditService;
}

/** Maps each method of the contract to the service that implements it, without logic of its own. */
export function createHandlers(services: Services): Handlers {
  const { ports, settings, project, updates, spending, external, connections, audit, emit } = services;
  const { host, projects, version } = ports;
  const { peek, opened } = project;
  const done = async (work: unknown): Promise<Record<string, never>> => {
    await work;
    return {};
  };

  return {
    'app.info': async () => ({
      version,
      host: host.kind,
      platform: host.platform,
      systemLocale: toLocale(host.systemLocale),
      hasFolderDialog: host.pickFolder !== null,
      isSafeMode: host.isSafeMode,
    }),
    'app.details': () => host.details(),
    'app.restart': async () => {
      if (!host.restart) throw new AppError('E_UNSUPPORTED', 'This host cannot start the app again.');
      return done(host.restart());
    },
    'app.openLink': ({ url }) => done(host.openLink(url)),

    'project.current': async () => ({ project: project.current() }),
    'project.recents': async () => ({ recents: await projects.recents() }),
    'project.forgetRecent': ({ id }) => done(project.forgetRecent(id)),
    'project.open': ({ id }) => project.open(id),
    'project.pick': () => project.pick(),
    'project.browse': (browsed) => projects.browse(browsed),
    'project.create': ({ id }) => project.create(id),
    'project.openSample': () => project.openSample({ fresh: false }),
    'project.close': () => done(project.close()),
    'project.files': async ({ paths }) => opened().scripts.listing(paths),
    'project.scenes': async ({ paths }) => opened().scripts.scenes(paths),

    'script.read': async ({ path }) => opened().scripts.read(path),
    'script.save': async (request) => opened().scripts.save(request),
    'script.saveBuffer': async (request) => opened().scripts.saveBuffer(request),
    'script.merge': async (request) => opened().scripts.merge(request),
    'script.propose': async (change) => done(opened().scripts.propose(change)),
    'script.buffer': async ({ path, ...unsaved }) => done(opened().buffers.set(path, unsaved.text, unsaved)),
    'script.editBuffer': async (change) => ({ taken: opened().scripts.editBuffer(change) }),
    'script.unsaved': async () => ({ files: opened().buffers.unsaved() }),

    'stage.show': async (place) => done(opened().stage.show(place)),
    'stage.state': async () => peek()?.stage.state() ?? STAGE_OFF,
    ...createStageOrders(opened, host, done),
    'stage.useEngine': async ({ choice }) => done(await opened().stage.useEngine(choice)),
    'stage.report': async (report) => done(opened().stage.report(report)),

    'viewer.attach': async ({ page }) => done(opened().viewer.attach(page)),
    'viewer.detach': async ({ page }) => done(peek()?.viewer.detach(page)),
    'viewer.answer': async (answer) => done(peek()?.viewer.answer(answer)),

    'chat.state': async () => ({ chat: peek()?.chat.state() ?? null }),
    'chat.earlier': async ({ session, before }) => opened().chat.earlier(session, before),
    'chat.open': async ({ session }) => done(opened().chat.open(session)),
    'chat.create': async () => done(opened().chat.create()),
    'chat.send': async (message) => opened().chat.send(message),
    'chat.queue': async (message) => done(opened().chat.queue(message)),
    'chat.editQueued': async ({ id, text }) => done(opened().chat.editQueued(id, text)),
    'chat.removeQueued': async ({ id }) => done(opened().chat.removeQueued(id)),
    'chat.sendQueued': async ({ id }) => done(opened().chat.sendQueued(id)),
    'chat.resend': async (message) => done(opened().chat.resend(message)),
    'chat.undoResend': async ({ id }) => done(opened().chat.undoResend(id)),
    ...createConversationHandlers({ peek, opened, done }),
    ...createPanelHandlers({ peek, opened, done }),
    ...createExternalHandlers({ external, host, opened }),
    'chat.answer': async ({ question, ...answer }) => opened().chat.answer(question, answer),
    'chat.addPicture': async ({ data }) => ({ picture: await opened().pictures.add(data) }),
    'chat.assetPicture': async ({ path }) => opened().pictures.readAsset(path),
    'chat.picture': async ({ id }) => opened().pictures.read(id),
    'chat.consent': async ({ id, answer }) => done(opened().chat.consent(id, answer)),
    'chat.continue': async () => opened().chat.continue(),
    'chat.stop': async () => done(opened().chat.stop()),
    'chat.rename': async ({ title, session }) => done(opened().chat.rename(title, session)),
    'chat.compact': async () => done(opened().chat.compact()),
    'chat.undoCompaction': async ({ id }) => done(opened().chat.undoCompaction(id)),
    'chat.startTour': async () => {
      await project.openSample({ fresh: true });
      return done(opened().chat.startTour());
    },

    'proposal.current': async () => ({ proposal: peek()?.proposals.current() ?? null }),
    'proposal.accept': async (request) => opened().chat.accept(request),
    'proposal.choose': async (part) => done(opened().proposals.choose(part)),
    'proposal.reject': async (request) => done(opened().chat.reject(request)),

    'history.list': async ({ skip, limit }) => {
      const groups = (await peek()?.history.list()) ?? [];
      return { groups: groups.slice(skip, skip + limit), total: groups.length };
    },
    'history.diff': async ({ snapshotId }) => opened().history.diff(snapshotId),
    'history.restore': async ({ snapshotIds }) => opened().history.restore(snapshotIds),
    'history.undo': async ({ files }) => opened().history.undo(files),

    'checkpoints.list': async () => (await peek()?.checkpoints.list()) ?? { checkpoints: [], damaged: 0 },
    'checkpoints.create': async ({ name }) => ({ checkpoint: await opened().checkpoints.create(name) }),
    'checkpoints.rename': async ({ id, name }) => done(opened().checkpoints.rename(id, name)),
    'checkpoints.remove': async ({ id }) => done(opened().checkpoints.remove(id)),
    'checkpoints.usage': async () => opened().checkpoints.usage(),
    'checkpoints.compare': async ({ from, to }) => opened().checkpoints.compare(from, to),
    'checkpoints.file': async ({ id, path }) => opened().checkpoints.file(id, path),
    'checkpoints.restore': async ({ id, paths }) => opened().checkpoints.restore(id, paths),
    'checkpoints.stop': async () => done(peek()?.checkpoints.stop()),

    'transactions.list': async (request) => opened().transactions.list(request),
    'transactions.diff': async (request) => opened().transactions.diff(request),
    'transactions.states': async ({ ids }) => opened().transactions.states(ids),
    'transactions.keep': async ({ id }) => done(opened().transactions.keep(id)),
    'transactions.rollBack': async ({ id }) => opened().transactions.rollBack(id),
    'transactions.export': async ({ filter }) => opened().transactions.export(filter),

    ...createCapabilityHandlers({ peek, opened, connections, audit }),
    ...createTerreHandlers({ ports, settings, emit }),

    'settings.read': () => settings.read(),
    'settings.update': (patch) => done(settings.update(patch)),
    'settings.choose': ({ provider, choice }) => done(settings.choose(provider, choice)),
    'settings.chooseTool': ({ tool, choice }) => done(settings.chooseTool(tool, choice)),
    'settings.resetTools': () => done(settings.resetTools()),
    'settings.setKey': ({ provider, key }) => settings.setKey(provider, key),
    'settings.forgetKeys': () => settings.forgetKeys(),
    'settings.testConnection': ({ provider }) => settings.test(provider),

    'spending.today': async () => ({ total: (await spending.today()).total }),

    'updates.state': async () => updates.state(),
    'updates.check': () => done(updates.check()),
    'updates.download': () => done(updates.download()),
  };
}

type HandlerPorts = Pick<ProjectService, 'peek' | 'opened'> & {
  done(work: unknown): Promise<Record<string, never>>;
};
type CapabilityMethods = keyof typeof capabilityMethods;

function createCapabilityHandlers({
  peek,
  opened,
  connections,
  audit,
}: Omit<HandlerPorts, 'done'> & Pick<Services, 'connections' | 'audit'>): Pick<Handlers, CapabilityMethods> {
  return {
    'capabilities.list': async (request) => connections.list(request),
    'capabilities.read': async ({ id }) => connections.read(id),
    'audit.list': async (request) => (peek()?.audit ?? audit).list(request),
    'audit.export': async ({ filter, format }) => (peek()?.audit ?? audit).export(filter, format),
    'connections.state': () => connections.state(),
    'connections.createToken': async ({ provider }) => ({ token: await connections.createToken(provider) }),
    'connections.removeToken': ({ provider }) => connections.removeToken(provider).then(() => ({})),
    'approvals.list': async () => ({ approvals: (await peek()?.outside.approvals.list()) ?? [] }),
    'approvals.answer': async ({ id, answer, agreed }) => ({
      approval: await opened().outside.approvals.answer(id, answer, agreed),
    }),
  };
}

function createPanelHandlers(ports: HandlerPorts): Pick<Handlers, PlanMethods | GitMethods | PlaytestMethods> {
  return { ...createPlanHandlers(ports), ...createGitHandlers(ports), ...createPlaytestHandlers(ports) };
}

type GitMethods = Extract<Method, `git.${string}`>;

function createGitHandlers({ peek, opened }: Pick<ProjectService, 'peek' | 'opened'>): Pick<Handlers, GitMethods> {
  return {
    'git.state': async () => ({ git: peek()?.git.state() ?? null }),
    'git.changes': async () => opened().git.changes(),
    'git.commit': async (request) => opened().git.commit(request),
    'git.versions': async (part) => opened().git.versions(part),
    'git.version': async (version) => opened().git.version(version),
    'git.restore': async (version) => opened().git.restore(version),
  };
}

function createConversationHandlers({
  peek,
  opened,
  done,
}: HandlerPorts): Pick<Handlers, keyof typeof conversationMethods> {
  return {
    'chat.sessions': async (part) => (await peek()?.chat.sessions(part)) ?? { sessions: [], next: null, total: 0 },
    'chat.search': async (request) => opened().chat.search(request),
    'chat.endSearch': async () => done(peek()?.chat.endSearch()),
    'chat.export': async ({ session }) => opened().chat.export(session),
    'chat.remove': async ({ session }) => done(opened().chat.remove(session)),
    'chat.restore': async ({ session }) => done(opened().chat.restore(session)),
    'chat.trash': async () => opened().chat.trash(),
    'chat.erase': async ({ session }) => done(opened().chat.erase(session)),
  };
}

type PlanMethods = Extract<Method, 'chat.editPlan' | 'chat.runPlan' | `plans.${string}`>;

function createPlanHandlers({ peek, opened, done }: HandlerPorts): Pick<Handlers, PlanMethods> {
  return {
    'chat.editPlan': async ({ plan, steps }) => done(opened().chat.editPlan(plan, steps)),
    'chat.runPlan': async ({ plan, context }) => opened().chat.runPlan(plan, context),
    'plans.saved': async () => (await peek()?.chat.savedPlans.list()) ?? { plans: [], leftOut: 0 },
    'plans.reopen': async ({ id }) => done(opened().chat.savedPlans.reopen(id)),
    'plans.discard': async ({ id }) => done(opened().chat.savedPlans.discard(id)),
    'plans.restore': async ({ id }) => done(opened().chat.savedPlans.restore(id)),
  };
}

/** The orders to the running story, and its pictures. */
function createStageOrders(
  opened: ProjectService['opened'],
  host: Host,
  done: HandlerPorts['done'],
): Pick<
  Handlers,
  | 'stage.compare'
  | 'stage.beside'
  | 'stage.takeWay'
  | 'stage.stopReplay'
  | 'stage.record'
  | 'stage.reload'
  | 'stage.look'
  | 'stage.step'
  | 'stage.back'
  | 'stage.skip'
  | 'stage.choose'
  | 'stage.setVariable'
  | 'stage.pose'
  | 'stage.toggleTextBox'
  | 'stage.capture'
> {
  return {
    'stage.capture': async (area) => {
      const { pictures, stage } = opened();
      return { picture: await pictures.add(await captureStage(area, host, stage.takePicture)) };
    },
    'stage.reload': async () => done(opened().stage.reload()),
    'stage.compare': async ({ isOn }) => done(opened().beside.compare(isOn)),
    'stage.beside': async () => ({ stage: opened().beside.state() }),
    'stage.takeWay': async (way) => done(opened().stage.way.take(way)),
    'stage.stopReplay': async () => done(opened().stage.way.stopReplay()),
    'stage.record': async ({ isRecording }) => done(opened().stage.way.record(isRecording)),
    'stage.look': async () => opened().stage.look(),
    'stage.skip': async () => opened().stage.skip(),
    'stage.back': async () => opened().stage.back(),
    'stage.step': async () => opened().stage.step(),
    'stage.choose': async ({ option }) => opened().stage.choose(option),
    'stage.setVariable': async ({ name, value, isGlobal }) => opened().stage.setVariable(name, value, isGlobal),
    'stage.pose': async ({ target, pose }) => opened().stage.pose(target, pose),
    'stage.toggleTextBox': async () => opened().stage.toggleTextBox(),
  };
}
