import { Settings } from '../settings.ts';

/** What a page may change together; the others have methods of their own. */
export const SettingsPatch = Settings.omit({ choices: true, tools: true, mcpServers: true, terreFolder: true })
  .partial()
  .strict();
