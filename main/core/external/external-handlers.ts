import type { z } from 'zod';
import type { methods, Parsed } from '../../../shared/contract.ts';
import type { assetMethods } from '../../../shared/model/asset/asset-methods.ts';
import type { toolMethods } from '../../../shared/model/external/tool-methods.ts';
import type { OpenProject } from '../open-project.ts';
import type { Host } from '../ports/host.ts';
import type { ExternalService } from './external-service.ts';

type ExternalHandlers = {
  [M in Extract<keyof typeof toolMethods, `tools.${string}` | `providers.${string}`> | keyof typeof assetMethods]: (
    input: Parsed<M>,
  ) => Promise<z.input<(typeof methods)[M]['output']>>;
};

interface HandledServices {
  external: ExternalService;
  host: Pick<Host, 'openSignInPage'>;
  opened: () => Pick<OpenProject, 'tools' | 'assets' | 'viewer'>;
}

/** Maps the methods about tools, connected services and what they make. */
export function createExternalHandlers({ external, host, opened }: HandledServices): ExternalHandlers {
  const done = async (work: Promise<unknown>): Promise<Record<string, never>> => {
    await work;
    return {};
  };
  return {
    'tools.list': async () => opened().tools.list(),
    'tools.renew': async () => opened().tools.renew(),
    'tools.pending': async () => opened().tools.pending(),
    'assets.read': (request) => opened().assets.read(request),
    'assets.add': (request) => opened().assets.add(request),
    'assets.propose': (request) => done(opened().assets.propose(request)),
    'assets.missing': () => opened().assets.missing(),
    'assets.proposePlaceholders': (request) => opened().assets.proposePlaceholders(request),
    'assets.drawn': async (answer) => done(Promise.resolve(opened().viewer.drawn(answer))),
    'providers.list': () => external.list(),
    'providers.add': ({ text }) => external.add(text),
    'providers.agree': (request) => done(external.agree(request)),
    'providers.setEnabled': ({ id, enabled }) => done(external.setEnabled(id, enabled)),
    'providers.setRole': ({ id, role }) => done(external.setRole(id, role)),
    'providers.remove': ({ id }) => done(external.remove(id)),
    'providers.restore': ({ id }) => done(external.restore(id)),
    'providers.retry': ({ id }) => done(external.retry(id)),
    'providers.signIn': ({ id }) => done(external.signIn(id).then((address) => host.openSignInPage(address))),
  };
}
