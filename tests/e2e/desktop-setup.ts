import { findDesktopSupport, stageDesktop } from '../support/window/desktop.ts';

/** The variable with the run's desktop for the workers (`StagedDesktop` without `close`, as JSON). */
export const DESKTOP_VARIABLE = 'WEBGAL_AGENT_TEST_DESKTOP';

/** Playwright's global setup. Makes one staged build for all workers of a run. Returns the teardown. */
export default async function setUpDesktop(): Promise<(() => Promise<void>) | undefined> {
  const support = await findDesktopSupport();
  if ('missing' in support) return undefined;
  const { close, ...desktop } = await stageDesktop(support.runtime);
  process.env[DESKTOP_VARIABLE] = JSON.stringify(desktop);
  return close;
}
