import { type Browser, expect, test } from '@playwright/test';
import type { DriverReply } from '../../../main/core/ports/stage-driver.ts';
import { launchBrowser } from '../../support/window/browser.ts';
import { type OpenStage, openStage } from '../../support/window/open-stage.ts';
import { writeScriptedEngine } from '../../support/window/scripted-engine.ts';

/**
 * What the driver promises, on an engine of each protocol in a real browser. The npm package has only 4.5.18, so a scripted page speaks
 * the newer protocol; the folder of a built engine of the 4.6 line can be named to run the same tests on it.
 */
const ENGINES: { name: string; isOld: boolean; directory?: string; isInTerre?: boolean }[] = [
  { name: 'the engine 4.5.18', isOld: true },
  { name: 'a scripted page with the protocol of 4.6', isOld: false },
  // The stand-in is a script with a first line that only other systems read.
  ...(process.platform === 'win32' ? [] : [{ name: 'the same page in Terre', isOld: false, isInTerre: true }]),
  ...(process.env.NEWER_ENGINE
    ? [{ name: 'the newer engine', isOld: false, directory: process.env.NEWER_ENGINE }]
    : []),
];

test.describe.configure({ timeout: 120_000, mode: 'serial' });

const START = 'game/scene/start.txt';
const FILES = {
  'game/config.txt': 'Game_name:Link;\nGame_key:link;\n',
  [START]: `setVar:love=1;
A:one;
A:two;
choose:Stay:stay|Go on:other.txt|(love>9)->Hidden:stay|[love>9]->Closed:stay;
label:stay;
A:stayed {love};
getUserInput:name -title=Name -buttonText=OK;
A:{name};
end;
`,
  'game/scene/other.txt': 'B:other;\ncallScene:sub/start.txt;\nchoose:Go on:third.txt|Back:start.txt;\n',
  'game/scene/third.txt': 'C:third;\nlabel:again;\njumpLabel:again;\nC:never;\n',
  'game/scene/sub/start.txt': 'D:in the other file of that name;\n',
};

let browser: Browser;
test.beforeAll(async () => {
  browser = await launchBrowser();
});
test.afterAll(() => browser.close());

let scripted: Awaited<ReturnType<typeof writeScriptedEngine>>;
test.beforeAll(async () => {
  scripted = await writeScriptedEngine();
});
test.afterAll(() => scripted.remove());

/** What a reply says, in short. */
const say = ({ done, state, ...rest }: DriverReply) => ({
  at: `${state?.file?.replace(/\?.*/, '')}:${state?.line}`,
  text: state?.stage.showText,
  ...(done ? {} : { reason: 'reason' in rest ? rest.reason : '' }),
});

for (const { name, isOld, directory, isInTerre = false } of ENGINES) {
  test.describe(name, () => {
    let opened: OpenStage;
    test.beforeEach(async () => {
      opened = await openStage(browser, FILES, {
        engineDirectory: isOld ? undefined : (directory ?? scripted.directory),
        isInTerre,
      });
      opened.stage.show({ path: START, line: 2, source: 'saved' });
      await expect.poll(() => opened.stage.state().isAtPlace).toBe(true);
    });
    test.afterEach(() => opened?.close());
    const driver = () => opened.link.driver;

    test('steps, chooses, and names the file of each scene', async () => {
      expect(say(await driver().readState())).toEqual({ at: 'start.txt:2', text: 'one' });
      expect(say(await driver().step())).toEqual({ at: 'start.txt:3', text: 'two' });
      const menu = await driver().step();
      expect(menu.state?.choices).toEqual([
        { text: 'Stay', isEnabled: true },
        { text: 'Go on', isEnabled: true },
        { text: 'Closed', isEnabled: false },
      ]);
      expect(say(await driver().step())).toMatchObject({ reason: 'choice' });
      expect(say(await driver().choose(3))).toMatchObject({ reason: 'disabled' });
      expect(say(await driver().choose(4))).toMatchObject({ reason: 'no-option' });
      // The engine calls the scenes after their options, which have the same text, and one file has the name of another.
      expect(say(await driver().choose(2))).toEqual({ at: 'other.txt:1', text: 'other' });
      expect(say(await driver().step())).toEqual({ at: 'sub/start.txt:1', text: 'in the other file of that name' });
      expect(say(await driver().step())).toMatchObject({ at: 'other.txt:3' });
      expect(say(await driver().choose(1))).toEqual({ at: 'third.txt:1', text: 'third' });
      expect(await opened.stage.look()).toMatchObject({ shown: { scene: 'game/scene/third.txt', line: 1 } });
    });

    test('chooses from the menu that it was sent to, as soon as it is there', async () => {
      opened.stage.show({ path: START, line: 4, source: 'saved' });
      await expect.poll(async () => (await driver().readState()).state?.choices.length).toBe(3);
      const { done, state } = await driver().choose(1);
      expect([done, state?.stage.showText]).toEqual([true, 'stayed 1']);
    });

    test('reports what the story waits for, within two seconds', async () => {
      await driver().step();
      await driver().step();
      expect(say(await driver().choose(1))).toEqual({ at: 'start.txt:6', text: 'stayed 1' });
      await driver().step();
      expect(say(await driver().step())).toMatchObject({ at: 'start.txt:7', reason: 'input' });
      opened.stage.show({ path: 'game/scene/third.txt', line: 1, source: 'saved' });
      await expect.poll(() => opened.stage.state().shown?.text).toBe('third');
      const began = performance.now();
      expect(await driver().step()).toMatchObject({ done: false });
      expect(performance.now() - began).toBeLessThan(2_500);
    });

    test('reports a circle of jumps, a menu without options and the line of a broken expression', async () => {
      const seen = () => opened.stage.state().problems.map(({ reason, place }) => [reason, place?.line ?? null]);
      await opened.game.put(START, 'A:one;\nsetVar:a=1+;\nsetVar:b=1+2;\nA:two;\nsetVar:c=3+;\nA:end;\n');
      opened.stage.show({ path: START, line: 1, source: 'saved' });
      await expect.poll(() => opened.stage.state().isAtPlace).toBe(true);
      await driver().step();
      await driver().step();
      // Of the newer engine it is not known where it was.
      await expect.poll(seen).toEqual(
        isOld
          ? [
              ['script-error', 2],
              ['script-error', 5],
            ]
          : [['script-error', null]],
      );
      opened.stage.show({ path: 'game/scene/third.txt', line: 1, source: 'saved' });
      await expect.poll(() => opened.stage.state().shown?.text).toBe('third');
      await driver().step();
      await expect.poll(() => seen().map(([reason]) => reason)).toEqual(['endless-jump']);
      await opened.game.put(START, 'A:one;\nchoose:(love>99)->No:x|(love>98)->None:y;\nA:never;\n');
      opened.stage.show({ path: START, line: 1, source: 'saved' });
      await expect.poll(() => opened.stage.state().shown?.text).toBe('one');
      await driver().step();
      await expect.poll(() => seen().map(([reason]) => reason)).toEqual(['empty-menu']);
    });

    test('names the variables that are kept for all stories, and plays a way back with their values', async () => {
      await opened.game.put(START, 'A:begun;\nsetVar:seen=1 -global;\nA:two {seen};\nA:three;\n');
      opened.stage.filesChanged([START]);
      opened.stage.show({ path: START, line: 1, source: 'saved' });
      await expect.poll(() => opened.stage.state().shown?.text).toBe('begun');
      await driver().step();
      await expect.poll(() => opened.stage.state().shown).toMatchObject({ text: 'two 1', globals: { seen: 1 } });
      expect(opened.stage.state().shown?.variables).not.toHaveProperty('seen');
      // The way back begins without it, as the first time.
      await opened.game.put(START, 'A:begun;\nsetVar:gone=seen;\nA:two {gone};\nA:three;\n');
      opened.stage.filesChanged([START]);
      await expect.poll(() => opened.stage.state().shown, { timeout: 30_000 }).toMatchObject({ text: 'two seen' });
      expect(opened.stage.state().shown?.globals).toBeUndefined();
    });

    test('changes how something looks until the story comes to the line again, and hides the text box', async () => {
      const pose = { moved: { x: -120, y: 40.5 }, size: { x: -1.5, y: 1.5 }, turned: 30, opacity: 0.4 };
      const reply = await opened.stage.pose('bg-main', pose);
      expect([reply.failure, reply.shown?.looks]).toEqual([null, { background: pose }]);
      expect(await opened.stage.pose('bg-main', { ...pose, opacity: 1 })).toMatchObject({
        failure: null,
        shown: { text: 'one', looks: { background: { moved: pose.moved } } },
      });
      if (isOld) expect((await opened.stage.pose('unknown-figure', pose)).failure).toBe('ignored');
      expect((await driver().readState()).state?.hasTextBox).toBe(true);
      for (const hasTextBox of [false, true, false]) {
        expect(await driver().toggleTextBox()).toMatchObject({ done: true, state: { hasTextBox } });
      }
      // Where the box is hidden, the first click of a player only shows it again.
      expect(say(await driver().step())).toEqual({ at: 'start.txt:3', text: 'two' });
      opened.stage.show({ path: START, line: 2, source: 'saved' });
      await expect.poll(() => opened.stage.state().shown).toMatchObject({ text: 'one' });
      expect(opened.stage.state().shown?.looks).toBeUndefined();
    });

    test('sets a variable to exactly a value', async () => {
      const odd = 'a + love; true {love} -x=1 "q" \\ 你好\n';
      for (const value of [7, -1.5, 0, true, false, '', 'love', '007', odd]) {
        const { done, state } = await driver().setVariable('it', value);
        expect([done, state?.stage.GameVar]).toEqual([true, expect.objectContaining({ it: value })]);
      }
      await driver().setVariable('love', 10);
      expect(opened.stage.state().shown?.globals).toBeUndefined();
      for (const value of [7, 'a + love', null]) {
        const { done, state } = await driver().setVariable('seen', value, true);
        expect([done, state?.globals]).toEqual([true, value === null ? {} : { seen: value }]);
        expect(state?.stage.GameVar).not.toHaveProperty('seen');
      }
      await driver().step();
      const { state } = await driver().step();
      expect(state?.choices.map(({ text, isEnabled }) => `${text} ${isEnabled}`)).toContain('Closed true');
    });
  });
}
