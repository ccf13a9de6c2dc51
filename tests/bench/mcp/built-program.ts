import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

/** The built program, as it is shipped. */
export const BUILT_CLI = path.join(import.meta.dirname, '..', '..', '..', 'out', 'main', 'cli.js');

export interface Connected {
  client: Client;
  pid: number | null;
}

/** Starts an MCP server with Node and connects to it. `home`: the data folder of the app. */
export async function connectProgram(args: string[], home: string): Promise<Connected> {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    env: { WEBGAL_AGENT_HOME: home, WEBGAL_AGENT_LANG: 'en', PATH: process.env.PATH ?? '' },
    stderr: 'ignore',
  });
  await client.connect(transport);
  return { client, pid: transport.pid };
}
