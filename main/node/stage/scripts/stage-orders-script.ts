/** A page that clicked less often than this in the time of an order was busy: the story says nothing about itself. */
const MIN_CLICKS = 10;

/** Part of the driver: what each order does, in the terms of the driver's script. Each resolves to an answer. */
export const ORDERS = `const fail = (reason, state = read()) => ({ reason, state });
  const toBlock = (state) => {
    if (!state.frame) return 'not-ready';
    if (state.isOnTitle) return 'title';
    if (state.hasInput) return 'input';
    return state.choices.length > 0 ? 'choice' : null;
  };
  /**
   * After an answer 4.5 goes on by itself, unless the text before the menu still appears, as it does after a jump to the menu: it completes
   * that text then, and waits for a click. No line ran: it is where the answer led, or before the first line of another scene.
   */
  const goOn = async (landed, reply, end) => {
    const { state } = reply;
    if (reply.reason !== undefined || toBlock(state) !== null || !isOldFrame(state.frame)) return reply;
    const [name, line] = toPosition(state.frame);
    const area = document.getElementById('FullScreenClick');
    if (!area || (line !== 0 && JSON.stringify([name, line]) !== JSON.stringify(toPosition(landed.frame).slice(0, 2)))) return reply;
    area.click();
    return settle(end);
  };
  const isOldFrame = (text) => { try { return JSON.parse(text).data !== undefined; } catch { return false; } };
  const orders = {
    state: () => ({ state: read() }),
    async step(_, end) {
      loopAt = -1;
      // After a jump the engine may still be at work, and its changes would count as the step.
      const { state: before } = await settle(performance.now() + 500);
      const block = toBlock(before);
      if (block) return fail(block, before);
      const key = toKey(before);
      // The first click may only complete the text; further ones wait for what blocks.
      let clicks = 0;
      for (let pause = 0; performance.now() < end; pause = 60) {
        if (loading === 0) {
          const area = document.getElementById('FullScreenClick');
          if (!area) return fail('not-ready');
          area.click();
          clicks += 1;
        }
        await wait(pause);
        if (loading > 0 || toKey(read()) !== key) return settle(end);
      }
      return fail(loading > 0 ? 'loading' : clicks < ${MIN_CLICKS} ? 'busy' : 'waits');
    },
    async choose({ option }, end) {
      // A menu that a jump still draws anew would go without being chosen from.
      const { state: before } = await settle(performance.now() + 500);
      const elements = findChoices();
      const element = elements[option - 1];
      if (!element) return fail(elements.length > 0 ? 'no-option' : toBlock(before) || 'no-choice', before);
      if (!isEnabled(element)) return fail('disabled', before);
      loopAt = -1;
      element.click();
      const landed = read();
      while (element.isConnected && performance.now() < end) await wait(4);
      return element.isConnected ? fail('waits') : goOn(landed, await settle(end), end);
    },
    async type({ text }, end) {
      const { state: before } = await settle(performance.now() + 500);
      const field = findField();
      const button = field && findConfirm(field);
      if (!button) return fail(toBlock(before) || 'waits', before);
      // React listens to the event and reads the element's own property.
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, text);
      field.dispatchEvent(new Event('input', { bubbles: true }));
      loopAt = -1;
      button.click();
      while (field.isConnected && performance.now() < end) await wait(4);
      return field.isConnected ? fail('waits') : goOn(before, await settle(end), end);
    },
  };`;
