/** What scenes may take that lead to each other without a stop, in ms of real time. */
export const CHAIN_MS = 60_000;
/** What one part of a route may take, in ms of real time. */
export const PART_MS = 120_000;

/** Part of the script in the page of a playtest: the player. Its functions are called from outside; each returns plain data. */
export const PLAYER_SCRIPT = `
  /** What a step may take until the page counts as hung on a request, in ms of real time. */
  const ANSWER_MS = 10000;
  const CHAIN_MS = ${CHAIN_MS};
  /** Longer pauses than this count as endless, in ms of the story's time. */
  const LONGEST_MS = 2 * 60 * 60 * 1000;
  /** What the engine does “at once”: after a jump, a call or an end. */
  const AT_ONCE_MS = 6;
  const FRAME_EVERY = 200;
  let settled = 0;
  /** When the time of the run is over, as \`realNow\` counts. */
  let deadline = Infinity;
  const isLate = () => realNow() > deadline;
  let mostRepeats = 0;

  /** Resolves when the engine waits for the player, or for time. False if a request was not answered. */
  const settle = async () => {
    settled += 1;
    if (settled % FRAME_EVERY === 0) drawFrame();
    const chained = realNow();
    let began = chained;
    let at = steps;
    for (let quiet = 0; quiet < 1;) {
      await takeTurn();
      const ran = runDue(AT_ONCE_MS);
      if (pending > 0 || (scenes && scenes.lockSceneWrite)) {
        // A scene that leads to itself is being requested at each turn.
        if (repeats > mostRepeats || isEndless || isLate()) return true;
        if (steps !== at) began = realNow();
        at = steps;
        if (realNow() - began > ANSWER_MS || realNow() - chained > CHAIN_MS) return false;
        await sleep(1);
      } else if (repeats > 100 || isEndless || isLate()) return true;
      else if (ran === 0 || hasOnlyIntervals()) quiet += 1;
    }
    return true;
  };
  const hasOnlyIntervals = () => nextTimer((timer) => timer.every === null && timer.due <= now() + AT_ONCE_MS) === null;

  const blocking = () => performs.performList.filter((one) => { try { return one.blockingNext(); } catch { return false; } });
  /** How many timers a line waits for before a player would click, and at most. */
  const SOON = 200;
  const MOST_TIMERS = 20000;
  /** Runs what comes next in time, so many timers at most, until the engine accepts a click. */
  const passTime = async (most) => {
    const until = now() + LONGEST_MS;
    // Intervals repeat without end: they run once for each timeout.
    for (let count = 0; count < most && !isLate(); count += 1) {
      const next = nextTimer((timer) => timer.every === null);
      if (next === null || next.timer.due > until) return false;
      runTimer(next);
      runDue(0);
      if (count % 50 === 0) { drawFrame(); await takeTurn(); }
      const list = blocking();
      if (list.length === 0 || list.some((one) => ['choose', 'userInput'].includes(one.performName))) return true;
    }
    return false;
  };
  const MOST_CLICKS = 60;
  const clickOn = (element) => {
    element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, composed: true, view: window }));
  };
  /** An \`intro\` may go on for a click alone, and show its rows one by one. True when the engine accepts the next line. */
  const clickAway = async () => {
    const surface = document.getElementById('FullScreenClick');
    for (let count = 0; surface && count < MOST_CLICKS; count += 1) {
      const before = steps;
      clickOn(surface);
      await takeTurn();
      runDue(AT_ONCE_MS);
      if (steps !== before || blocking().length === 0) return true;
    }
    return false;
  };
  /** A busy page may take a click late, or lose it. Together they wait about 0.2 s for an option that cannot be taken. */
  const MOST_OPTION_CLICKS = 3;
  const MOST_OPTION_TURNS = 10;
  const optionElements = () => {
    const list = document.querySelector('#chooseContainer > *');
    return list ? [...list.children].map((outer) => outer.firstElementChild || outer) : [];
  };
  const toOption = (element) => ({ text: String(element.textContent).slice(0, 500), isEnabled: !/disabled/i.test(String(element.className)) });
  /** Types into the engine's dialogue and confirms it. */
  const answerInput = (answer) => {
    const field = document.getElementById('user-input');
    const button = field && (field.nextElementSibling || field.parentElement.lastElementChild);
    if (!field || !button) return false;
    if (answer !== null) {
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
      set.call(field, answer);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
    clickOn(button);
    return true;
  };

  const hasEnded = () => { const state = getState(); return Boolean(state && state.GUI && state.GUI.showTitle); };
  const isOver = () => {
    const { currentScene, currentSentenceId, sceneStack } = scenes.sceneData;
    return sceneStack.length === 0 && currentSentenceId >= currentScene.sentenceList.length && blocking().length === 0;
  };

  /** Runs of lines, the first and the last: most of a scene is played line by line. */
  const toRuns = (lines) => [...lines].map(([url, set]) => {
    const runs = [];
    for (const line of [...set].sort((one, other) => one - other)) {
      const last = runs[runs.length - 1];
      if (last && last[1] === line - 1) last[1] = line; else runs.push([line, line]);
    }
    return [url, runs];
  });
  /** Of a story that calls scenes without end, the innermost callers. */
  const MOST_STACK = 1000;
  const result = (stop, more) => {
    const out = {
      stop, ...place(),
      stack: scenes.sceneData.sceneStack.slice(-MOST_STACK).map((one) => [String(one.sceneUrl), Number(one.continueLine)]),
      played: toRuns(played), skipped: toRuns(skipped), problems, steps, exceptions,
      variables: shortVariables(), inputsLeft: answers.length, overflows, filled,
      ...(stop === 'end' && ended), ...more,
    };
    played = new Map(); skipped = new Map(); problems = []; steps = 0; overflows = []; overflowing = 0; filled = [];
    return JSON.parse(JSON.stringify(out));
  };
  let answers = [];
  const beginPart = () => { HASHES.clear(); repeats = 0; passes.clear(); isEndless = false; };
  /** A question that is asked until the answer is right has no end with the default. */
  const MOST_DEFAULTS = 50;

  const advance = async ({ maxSteps, maxRepeats, inputs, measures, maxMs }) => {
    beginPart();
    mostRepeats = maxRepeats;
    answers = inputs;
    const begun = realNow();
    deadline = typeof maxMs === 'number' ? begun + maxMs : Infinity;
    let still = 0;
    let last = '';
    let defaults = 0;
    for (;;) {
      if (!(await settle())) return result('no-answer');
      if (measures) await measureText();
      if (hasEnded()) return result('end');
      if (repeats > maxRepeats || isEndless) return result('loop');
      if (steps > maxSteps) return result('limit');
      if (isLate()) return result('late');
      const stops = blocking();
      if (stops.some((one) => one.performName === 'choose')) {
        const options = optionElements().map(toOption);
        return result(options.some((one) => one.isEnabled) ? 'choice' : 'no-option', { options, choice: lastChoice });
      }
      if (stops.some((one) => one.performName === 'userInput')) {
        if (inputs.length === 0) defaults += 1;
        if (defaults > MOST_DEFAULTS) return result('limit');
        if (!answerInput(inputs.length > 0 ? inputs.shift() : null)) return result('stuck');
        // Another answer would lead on.
        beginPart();
        continue;
      }
      if (stops.length > 0) {
        stopped += 1;
        // Last, because a story may have timers that repeat without end.
        if (!(await passTime(SOON)) && !(await clickAway()) && !(await passTime(MOST_TIMERS))) return result(isLate() ? 'late' : 'stuck');
        continue;
      }
      if (isOver()) return result('dead-end');
      const at = lineNow + ':' + place().scene + ':' + steps + ':' + performs.performList.length;
      still = at === last ? still + 1 : 0;
      last = at;
      // Time may help: performances that end by themselves.
      if (still === 3) { runDue(5 * 60 * 1000); drawFrame(); continue; }
      if (still > 5) return result('stuck');
      const surface = document.getElementById('FullScreenClick');
      if (!surface) return result('stuck');
      stopped += 1;
      clickOn(surface);
      if (realNow() - begun > ${PART_MS}) return result('limit');
    }
  };

  const keepPlayer = () => { globals = { ...((getState().userData || {}).globalGameVar) }; };
  const resetPlayer = () => {
    if (!getState()) return;
    store.dispatch({ type: 'userData/resetAllData' });
    for (const [key, value] of Object.entries(globals)) store.dispatch({ type: 'userData/setGlobalVar', payload: { key, value } });
  };

  /** Lets what the engine has begun come to nothing: a loop would go on in the next route. */
  const rest = async () => {
    beginPart();
    isResting = true;
    scenes.sceneData.sceneStack = [];
    scenes.sceneData.currentScene = scene();
    await settle();
    isResting = false;
  };

  const api = {
    /** Resolves when the engine has loaded the game's settings; false after the time. */
    async ready(within) {
      const began = realNow();
      let quiet = 0;
      while (realNow() - began < within) {
        await takeTurn();
        // Before the engine reads anything back.
        getState();
        runDue(50);
        drawFrame();
        const isUp = scenes && performs && editor && editor.readyState === 1 && scene().sceneUrl && pending === 0
          && document.readyState === 'complete' && getState() && document.getElementById('FullScreenClick');
        // The settings and the stored data of the player are read one after the other.
        quiet = isUp ? quiet + 1 : 0;
        if (quiet > 10) { keepPlayer(); return true; }
        await sleep(5);
      }
      return false;
    },
    /** Begins the story anew, with nothing left of the last route. */
    async restart(name) {
      deadline = Infinity;
      await rest();
      resetPlayer();
      const before = scene();
      if (editor.protocol === NEWER) {
        editor.receive({ kind: 'request', type: 'preview.command.sync-scene', requestId: 'playtest', payload: { sceneName: name, sentenceId: 0 } });
      } else {
        editor.receive({ event: 'message', data: { command: 0, sceneMsg: { scene: name, sentence: 0 }, stageSyncMsg: {}, message: 'Sync' } });
      }
      for (let count = 0; count < 2000 && (scene() === before || pending > 0); count += 1) await sleep(2);
      await settle();
      wasReplaced = false;
      played = new Map(); skipped = new Map(); steps = 0; lastChoice = null; ended = null;
      return scene() !== before && lineNow === 0;
    },
    advance,
    /** Takes an option by its place in the menu, and plays on. False in \`took\` if the engine ignores it. */
    async choose({ at, ...how }) {
      const element = optionElements()[at];
      if (!element) return result('no-option', { options: [], choice: lastChoice });
      // The option may lead to another menu at once: only this one tells whether it was taken.
      const menu = performs.performList.find((one) => one.performName === 'choose');
      const isOpen = () => performs.performList.includes(menu);
      for (let clicks = 0; isOpen() && clicks < MOST_OPTION_CLICKS; clicks += 1) {
        isChoosing = true;
        clickOn(element);
        isChoosing = false;
        for (let turns = 0; isOpen() && turns < MOST_OPTION_TURNS; turns += 1) {
          await takeTurn();
          if (isOpen() && turns > 0) await sleep(turns);
        }
      }
      if (isOpen()) return result('refused', { options: optionElements().map(toOption), choice: lastChoice });
      return advance(how);
    },
  };
  define(globalThis, '__playtest', { value: Object.freeze(api) });
`;
