import type { Emit } from '../../../../shared/contract.ts';
import { toErrorData } from '../../../../shared/errors.ts';
import type { ProviderId } from '../../../../shared/model/settings.ts';
import type { Clock } from '../../ports/host.ts';
import type { AppAuditLog } from '../../ports/logs.ts';
import type { SettingsService } from '../../settings/settings-service.ts';
import { type AuditNote, createAudit } from './audit.ts';
import { type AuditService, createAuditService } from './audit-service.ts';
import { createSettingsNote, type SettingsNote } from './note-settings.ts';
import { withAuditNotices } from './with-audit-notices.ts';

/** The audit of what the user changes in the app itself, with or without a game. Changes are made also if they cannot be logged. */
export interface AppAudit {
  /** What is in the log. */
  service: AuditService;
  noteSettings: SettingsNote;
  /** A token by which another program may connect. Its text is not logged. */
  noteToken(change: 'create' | 'remove', provider: string): Promise<void>;
  /** Returns the settings service with each change of a key in the log; of a key only its provider. */
  withKeys(settings: SettingsService): SettingsService;
}

export function createAppAudit(log: AppAuditLog, { clock, emit }: { clock: Clock; emit: Emit }): AppAudit {
  const audit = withAuditNotices(createAudit(log), emit);

  async function note(facts: Pick<AuditNote, 'name' | 'capability' | 'args' | 'error'>): Promise<void> {
    const more = { kind: 'settings', trace: 'settings', at: clock.now(), ms: 0, files: [], undo: [] } as const;
    await audit.note({ ...more, ...facts }).catch(() => undefined);
  }

  async function withNote<T>(facts: Pick<AuditNote, 'name' | 'capability' | 'args'>, work: Promise<T>): Promise<T> {
    try {
      const value = await work;
      await note({ ...facts, error: null });
      return value;
    } catch (error) {
      await note({ ...facts, error: toErrorData(error) });
      throw error;
    }
  }

  return {
    service: createAuditService([log]),
    noteSettings: createSettingsNote(audit, clock),
    noteToken: (change, provider) =>
      note({ name: `${change}_token`, capability: `app.token.${change}`, args: { provider }, error: null }),
    withKeys: (settings) => ({
      ...settings,
      setKey: (provider: ProviderId, key: string) =>
        withNote({ name: 'set_key', capability: 'app.key.set', args: { provider } }, settings.setKey(provider, key)),
      forgetKeys: () =>
        withNote(
          { name: 'remove_key', capability: 'app.key.remove', args: { provider: 'all' } },
          settings.forgetKeys(),
        ),
    }),
  };
}
