import { access, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

/**
 * A minimal MCP server for comparison: the official library, disk reads for each call, no caches, and a check that only finds
 * missing files. The argument is the game's folder.
 */

const root = process.argv[2] ?? '.';
const server = new McpServer({ name: 'plain', version: '1.0.0' });
const reply = (value: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value) }] });
const walk = async (folder: string) => {
  const entries = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(path.join(root, folder), path.join(entry.parentPath, entry.name)))
    .sort();
};

server.registerTool(
  'list_files',
  { description: 'Lists a folder.', inputSchema: { path: z.string(), globs: z.array(z.string()).optional() } },
  async ({ path: folder, globs }) => {
    if (!globs) return reply({ entries: (await readdir(path.join(root, folder))).sort() });
    return reply({ entries: (await walk(folder)).filter((name) => name.endsWith('.txt')) });
  },
);
server.registerTool('list_project_resources', { description: 'Lists the assets.', inputSchema: {} }, async () => {
  const folders = ['background', 'figure', 'bgm', 'vocal', 'scene', 'video', 'animation'];
  const names = await Promise.all(folders.map((folder) => walk(`game/${folder}`)));
  return reply(Object.fromEntries(folders.map((folder, index) => [folder, names[index]])));
});
const FOLDERS = new Map([
  ['changeBg', 'background'],
  ['bgm', 'bgm'],
  ['changeFigure', 'figure'],
  ['changeScene', 'scene'],
]);
server.registerTool(
  'validate_script',
  { description: 'Checks a scene.', inputSchema: { path: z.string() } },
  async ({ path: file }) => {
    const text = await readFile(path.join(root, file), 'utf8');
    const diagnostics: { line: number; message: string }[] = [];
    for (const [index, line] of text.split('\n').entries()) {
      const [, command = '', name = ''] = /^(\w+):([^ ;]+)/.exec(line) ?? [];
      const folder = FOLDERS.get(command);
      if (folder === undefined) continue;
      const isThere = await access(path.join(root, 'game', folder, name)).then(
        () => true,
        () => false,
      );
      if (!isThere) diagnostics.push({ line: index + 1, message: 'missing' });
    }
    return reply({ valid: diagnostics.length === 0, diagnostics });
  },
);
await server.connect(new StdioServerTransport());
