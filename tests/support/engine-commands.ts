/** Commands that the table of every published engine has: enough of them for the app to recognise an engine. */
export const ENGINE_COMMANDS: readonly string[] = [
  ...['say', 'changeBg', 'changeFigure', 'bgm', 'choose', 'end', 'label', 'jumpLabel', 'setVar', 'intro', 'callScene'],
];
