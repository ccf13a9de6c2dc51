/**
 * Part of the bridge: reads the variables that scripts set for all stories, and reports them whenever one changed. They are taken
 * from the store that React holds at the top of the engine's page, in all versions. Old syntax: it is sent without a build step.
 */
export const GLOBALS = `/** Neither protocol reports these variables. */
  let store = null;
  const findStore = () => {
    const root = document.getElementById('root');
    const key = root && Object.keys(root).find((name) => name.startsWith('__reactContainer'));
    let part = key ? root[key].stateNode.current : null;
    for (let depth = 0; part && depth < 100 && !store; depth += 1) {
      const given = part.memoizedProps && part.memoizedProps.store;
      if (given && typeof given.getState === 'function') store = given;
      part = part.child;
    }
    return store;
  };
  /** Those that scripts set; the engine keeps the settings of the game among them. */
  const readGlobals = () => {
    try {
      const { globalGameVar: values, scriptManagedGlobalVar: names } = (store || findStore()).getState().userData;
      const isValue = (name) => /^(string|number|boolean)$/.test(typeof values[name]) && values[name] === values[name];
      const cut = (value) => (typeof value === 'string' ? value.slice(0, 500) : value);
      return Object.fromEntries(names.slice(0, 500).filter((name) => Object.hasOwn(values, name) && isValue(name)).map((name) => [name.slice(0, 200), cut(values[name])]));
    } catch { return {}; }
  };
  let toldGlobals = '{}';
  const tellGlobals = () => {
    const globals = readGlobals();
    const words = JSON.stringify(globals);
    if (words === toldGlobals) return;
    toldGlobals = words;
    send(JSON.stringify({ kind: 'globals', globals }));
  };`;
