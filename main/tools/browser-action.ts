import { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import { toolText } from '../../shared/i18n/tools.ts';
import { toProjectPath } from '../../shared/paths/project-path.ts';
import { toQuoted } from '../../shared/text/shown-text.ts';
import { redactText } from '../core/capability/audit/redact.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { TOOL_URL } from '../network/allowed-addresses.ts';
import { SCREENSHOT_FOLDER } from './get-runtime-info.ts';
import { commandTool } from './support/tool-presets.ts';

const NEEDED = { open: 'url', click: 'selector', screenshot: 'path' } as const;

const Input = z
  .strictObject({
    action: z.enum(['open', 'click', 'screenshot']),
    url: z
      .string()
      .max(2000)
      .regex(TOOL_URL, 'only http://localhost and http://127.0.0.1 can be opened')
      .optional()
      .describe('Needed for action=open'),
    selector: z.string().min(1).max(500).optional().describe('Needed for action=click: a CSS selector'),
    path: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe(`Needed for action=screenshot: a name; lies in ${SCREENSHOT_FOLDER}`),
  })
  .superRefine((input, context) => {
    const needed = NEEDED[input.action];
    if (input[needed] !== undefined) return;
    context.addIssue({ code: 'custom', path: [needed], message: `is needed for action=${input.action}` });
  })
  .meta({
    allOf: Object.entries(NEEDED).map(([action, needed]) => ({
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      ...{ if: { properties: { action: { const: action } } }, then: { required: ['action', needed] } },
    })),
  });

export const browserAction = defineTool({
  ...commandTool('browser_action', {
    level: 'medium',
    reason: 'clicks',
  }),
  capability: 'app.browser.act',
  version: '1.0.0',
  description:
    'Drives a browser without a window on pages of this machine: open (url, such as the one preview_scene or ' +
    'execute_command gave), click (a CSS selector), screenshot (a file name; the picture lies in ' +
    `${SCREENSHOT_FOLDER}). Anything elsewhere is refused, redirects and what a page loads included. problems are errors ` +
    'of the page.',
  input: Input,
  output: z.object({
    ok: z.boolean(),
    url: z.string().optional(),
    title: z.string().optional(),
    problems: z.array(z.string()).optional(),
    path: z.string().optional(),
  }),
  permissions: ['net.connect'],
  sideEffects: 'Opens a page of this machine; a screenshot is kept in the app’s own folder of the game.',
  logged: ['url', 'selector'],
  examples: [
    { action: 'open', url: 'http://localhost:3000/' },
    { action: 'click', selector: '#start' },
    { action: 'screenshot', path: 'title.png' },
  ],
  needs: ['browser'],
  summarize: ({ action, url, selector, path }) => {
    if (action === 'open') return toolText('browser_action.summaryOpen', { url: toQuoted(url ?? '') });
    if (action === 'click') return toolText('browser_action.summaryClick', { selector: toQuoted(selector ?? '') });
    return toolText('browser_action.summaryScreenshot', { path: toQuoted(path ?? '') });
  },
  paths: () => [],
  async handler({ action, url = '', selector = '', path = '' }, { browser }, { signal }) {
    if (action === 'screenshot') return { ok: true, ...(await browser.screenshot(toPictureName(path), signal)) };
    const shown = await (action === 'open' ? browser.open(url, signal) : browser.click(toSelector(selector), signal));
    const problems = shown.problems.map(redactText);
    return { ok: true, url: shown.url, title: shown.title, ...(problems.length > 0 && { problems }) };
  },
});

/**
 * Returns a bare file name in the screenshot folder, which may be given as a prefix. `E_DENY_PATH` for any other
 * folder.
 */
function toPictureName(path: string): string {
  const own = `${SCREENSHOT_FOLDER}/`;
  const name = toProjectPath(path.startsWith(own) ? path.slice(own.length) : path);
  if (name === '.' || name.includes('/') || name.startsWith('.')) {
    throw new AppError('E_DENY_PATH', `Pictures lie in ${SCREENSHOT_FOLDER} and nowhere else.`, {
      details: { path },
      hint: 'Give a file name such as title.png.',
      reason: 'path.denied',
    });
  }
  return name.toLowerCase().endsWith('.png') ? name : `${name}.png`;
}

/** CSS only: the library supports other selector engines, some of which execute code in the page. */
function toSelector(selector: string): string {
  if (!selector.includes('>>')) return `css=${selector}`;
  throw new AppError('E_BAD_ARGS', 'The selector is not CSS.', { hint: 'Use one such as "#start" or "button.next".' });
}
