import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CompleteRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { AppError } from '../../../shared/errors.ts';
import type { Locale } from '../../../shared/model/local-text.ts';
import type { McpSession } from '../../compose-mcp.ts';
import { findArgument, toSceneName } from './prompts.ts';
import { throwProtocolError } from './to-protocol-error.ts';

/** What the variable of each resource template names. */
const VARIABLES = {
  'webgal://scene/{+path}': { path: 'scene' },
  'webgal://diagnostics/{+path}': { path: 'scene' },
  'webgal://snapshots/{id}': { id: 'snapshot' },
  'webgal://approvals/{id}': { id: 'approval' },
} as const;
/** Languages that are suggested for a translation; any other can be typed. */
const LANGUAGES = ['zh-Hans', 'zh-Hant', 'en', 'ja', 'ko', 'fr', 'de', 'es', 'pt', 'ru', 'vi', 'th', 'id'];

/** Completes the arguments of prompts and the variables of resource templates with names of the game. */
export function serveCompletions(server: Server, locale: Locale, open: () => Promise<McpSession>): void {
  server.setRequestHandler(CompleteRequestSchema, async ({ params }, { signal }) => {
    const { ref, argument, context } = params;
    const kind =
      ref.type === 'ref/prompt'
        ? findArgument(ref.name, argument.name)?.completes
        : findVariable(ref.uri, argument.name);
    if (ref.type === 'ref/prompt' && findArgument(ref.name, argument.name) === undefined) {
      throwProtocolError(
        new AppError('E_BAD_ARGS', `There is no such argument of the prompt ${ref.name.slice(0, 100)}.`),
      );
    }
    if (kind === undefined) return { completion: { values: [] } };
    if (kind === 'language') return { completion: { values: toLanguages(argument.value, locale) } };
    const scene = context?.arguments?.scene;
    const request = { kind, typed: argument.value.slice(0, 1000), signal };
    const named = scene === undefined ? {} : { scene: toSceneName(scene) };
    const completion = await open()
      .then((session) => session.complete({ ...request, ...named }))
      .catch(throwProtocolError);
    return { completion: { ...completion } };
  });
}

function findVariable(template: string, variable: string): 'scene' | 'snapshot' | 'approval' | undefined {
  const variables = new Map(Object.entries(VARIABLES).map(([uri, kinds]) => [uri, new Map(Object.entries(kinds))]));
  return variables.get(template)?.get(variable);
}

function toLanguages(typed: string, locale: Locale): string[] {
  const names = new Intl.DisplayNames([locale], { type: 'language' });
  const all = LANGUAGES.map((code) => names.of(code) ?? code);
  return all.filter((name) => name.toLowerCase().includes(typed.trim().toLowerCase()));
}
