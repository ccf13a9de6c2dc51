import type { ErrorData } from '../../shared/errors.ts';
import { commandLineTexts } from '../../shared/i18n/command-line.ts';
import type { Severity } from '../../shared/model/diagnostic.ts';
import { LOCALES, type Locale, toLocale } from '../../shared/model/local-text.ts';
import { toVisible } from '../../shared/text/shown-text.ts';
import type { CheckedProject } from '../compose-check.ts';

type Failure = Pick<ErrorData, 'message' | 'hint' | 'reason' | 'details'>;

/** Texts for the reasons of errors that users meet. */
const NOT_OPENED = new Map<
  string,
  'gone' | 'noGame' | 'gameRenamed' | 'tooBroad' | 'noBrowser' | 'noStart' | 'memory' | 'badTests'
>([
  ['project.gone', 'gone'],
  ['project.noGame', 'noGame'],
  ['project.gameRenamed', 'gameRenamed'],
  ['project.tooBroad', 'tooBroad'],
  ['browser.none', 'noBrowser'],
  ['playtest.noStart', 'noStart'],
  ['playtest.memory', 'memory'],
  ['playtest.badTests', 'badTests'],
]);

/** The texts of the command line in the system's language. */
export interface CommandLineText {
  locale: Locale;
  help: string;
  /** A reference to the help, printed after a usage error. */
  seeHelp: string;
  ready(url: string): string;
  stopHint: string;
  /** `failure`: why; in words of the language for the usual reasons. */
  cannotOpenProject(folder: string, failure: Failure): string;
  severalGames(folder: string, names: readonly string[]): string;
  /** Describes the holder of the lease from the details of the error. */
  heldElsewhere(holder: Readonly<Record<string, unknown>>): string;
  cannotStart(reason: string): string;
  severities: Record<Severity, string>;
  /** Appended to a finding that represents `count` of them: the places of the others. */
  repeats(count: number, places: readonly string[], isTruncated: boolean): string;
  checked(summary: CheckedProject['summary']): string;
  tooManyWarnings(count: number, most: number): string;
  /** After a test that ended early: how to go on. */
  canResume: string;
  noneKept(folder: string): string;
  keptDamaged(folder: string): string;
  noOwnEngine(folder: string): string;
  gameChanged(folder: string): string;
  /** The title of the fixes of a check in the history. */
  fixTitle: string;
  replay: ReplayText;
  capabilities: CapabilitiesText;
}

/** The sentences about asking the running app. */
interface CapabilitiesText {
  notRunning: string;
  /** The file with the address is not of a running app. */
  stale: string;
  /** Follows both where this process answers itself. */
  ownOnly: string;
  /** Follows both where only the app can answer. */
  needsApp(action: string): string;
  waits(id: string): string;
}

/** The sentences of a replay. */
interface ReplayText {
  notEmpty(folder: string): string;
  /** `code`: of the system; may be blank. */
  notWritten(folder: string, code: string): string;
  insideGame(folder: string): string;
  foreign(files: readonly string[]): string;
  unknown(id: string): string;
  /** `texts`: each as `path (id)`. */
  missing(texts: readonly string[]): string;
  outside(path: string, id: string): string;
  absent(path: string): string;
  untouched(path: string): string;
  done(count: number): string;
}

/**
 * `tag` is the system's language tag, such as `zh-Hans-CN`. Names of folders and messages can neither begin a line of their own nor
 * command a terminal.
 */
export function createCommandLineText(tag: string): CommandLineText {
  const locale = toLocale(tag);
  const translate = commandLineTexts.createTranslator(locale);
  const say: typeof translate = (...words) => toVisible(translate(...words));
  const sections = ['usage', 'commands', 'options', 'mcp', 'check', 'test', 'replay', 'capabilities'] as const;
  return {
    locale,
    help: sections.map((section) => translate(`help.${section}`, { languages: LOCALES.join(', ') })).join('\n\n'),
    seeHelp: translate('seeHelp'),
    ready: (url) => translate('ready', { url }),
    stopHint: translate('stopHint'),
    cannotOpenProject(folder, { reason = '', message, hint, details }) {
      const key = NOT_OPENED.get(reason);
      const why = key
        ? translate(`notOpened.${key}`, { why: String(details?.why ?? '') })
        : [message, hint].filter(Boolean).join(' ');
      return say('cannotOpenProject', { folder, reason: why });
    },
    severalGames: (folder, names) => say('severalGames', { folder, names }),
    heldElsewhere: ({ owner, pid, host, since }) =>
      say('heldElsewhere', { owner: String(owner), pid: String(pid), host: String(host), since: String(since) }),
    cannotStart: (reason) => say('cannotStart', { reason }),
    severities: {
      error: translate('severities.error'),
      warning: translate('severities.warning'),
      info: translate('severities.info'),
    },
    repeats: (total, places, isTruncated) => translate(isTruncated ? 'repeatsTruncated' : 'repeats', { total, places }),
    checked: ({ files, lines, errors, warnings, infos, ms, fixed }) => {
      const checked = translate('checked', {
        ...{ errors, warnings, infos, ms },
        files: translate('files', { count: files }),
        lines: translate('lines', { count: lines }),
      });
      return fixed === undefined ? checked : translate('checkedAndFixed', { fixed, checked });
    },
    tooManyWarnings: (count, most) =>
      translate('tooManyWarnings', {
        warnings: translate('warnings', { count }),
        allowed: translate('allowed', { count: most }),
      }),
    canResume: translate('canResume'),
    noneKept: (folder) => say('noneKept', { folder }),
    noOwnEngine: (folder) => say('noOwnEngine', { folder }),
    keptDamaged: (folder) => say('keptDamaged', { folder }),
    gameChanged: (folder) => say('gameChanged', { folder }),
    fixTitle: translate('fixTitle'),
    replay: {
      notEmpty: (folder) => say('replay.notEmpty', { folder }),
      notWritten: (folder, code) => say('replay.notWritten', { folder, code }),
      insideGame: (folder) => say('replay.insideGame', { folder }),
      foreign: (files) => say('replay.foreign', { files }),
      unknown: (id) => say('replay.unknown', { id }),
      missing: (texts) => say('replay.missing', { texts }),
      outside: (path, id) => say('replay.outside', { path, id }),
      absent: (path) => say('replay.absent', { path }),
      untouched: (path) => say('replay.untouched', { path }),
      done: (count) => say('replay.done', { count }),
    },
    capabilities: {
      notRunning: translate('capabilities.notRunning'),
      stale: translate('capabilities.stale'),
      ownOnly: translate('capabilities.ownOnly'),
      needsApp: (action) => translate(action === 'call' ? 'capabilities.needsCall' : 'capabilities.needsOther'),
      waits: (id) => translate('capabilities.waits', { id }),
    },
  };
}
