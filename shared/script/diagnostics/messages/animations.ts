import { declare } from './declaration.ts';

export const ANIMATION_DIAGNOSTICS = {
  'invalid-json': declare('error', 'syntax', {
    zh: '这段 JSON 引擎读不懂，{effect}',
    en: 'The engine cannot read this JSON: {effect}',
    hintZh: '名字要加英文双引号，逗号和括号要成对，不能写多余的逗号。',
    hintEn: 'Names need double quotes, brackets must match, no comma too many.',
    example: 'setTransform:{position:{x:1}} -target=fig-left;',
  }),
  'json-dash': declare('error', 'syntax', {
    zh: '负号前有空格，引擎在这里截断了 JSON，从“{lost}”起都丢掉了。',
    en: 'There is a space before the minus: the engine cuts the JSON there and drops “{lost}”.',
    hintZh: '删掉负号前的空格。',
    hintEn: 'Remove the space before the minus.',
    example: 'setTransform:{"position":{"x": -500}} -target=fig-left;',
  }),
  'animation-not-list': declare('error', 'syntax', {
    zh: 'setTempAnimation 需要一个列表 [ … ]，这样写故事会卡在这一行。',
    en: 'setTempAnimation needs a list [ … ]; written like this the story is stuck on this line.',
    hintZh: '用 [ ] 括起来。',
    hintEn: 'Put it in [ ].',
    example: 'setTempAnimation:{"alpha":0} -target=fig-left;',
  }),
  'frame-duration': declare('warning', 'syntax', {
    zh: '有一帧没有写 duration（毫秒），动画不会动。',
    en: 'A frame has no duration (milliseconds), so nothing moves.',
    hintZh: '每一帧都写上 "duration"。',
    hintEn: 'Give every frame a "duration".',
    example: 'setTempAnimation:[{"alpha":0}] -target=fig-left;',
  }),
  'unknown-transform-key': declare('warning', 'syntax', {
    zh: '没有 {key} 这个变换属性，引擎不理会它。{near}',
    en: 'There is no transform property {key}; the engine ignores it.{near}',
    hintZh: '检查拼写。',
    hintEn: 'Check the spelling.',
    example: 'setTransform:{"shockwave":1} -target=fig-left;',
  }),
  'rotation-degrees': declare('warning', 'syntax', {
    zh: 'rotation 的单位是弧度：{value} 会转很多圈。{value} 度写成 {radians}。',
    en: 'rotation is in radians: {value} turns round many times. For {value} degrees write {radians}.',
    hintZh: '改成 {radians}。',
    hintEn: 'Write {radians}.',
    example: 'setTransform:{"rotation":45} -target=fig-left;',
  }),
  'unknown-animation': declare('error', 'resource', {
    zh: '没有动画 {name}，什么也不会动。{why}{near}',
    en: 'There is no animation {name}, so nothing moves.{why}{near}',
    hintZh: '在 animation/animationTable.json 里登记它，或改成已有的动画。',
    hintEn: 'List it in animation/animationTable.json, or name one that is there.',
    example: 'setAnimation:nope -target=fig-left;',
  }),
  'missing-target': declare('error', 'syntax', {
    zh: '没有写 -target，{command} 不知道让谁动，什么也不会发生。',
    en: 'Without -target {command} has nothing to act on: nothing happens.',
    hintZh: '加上 -target=fig-left、fig-center、fig-right、bg-main 或立绘的 id。',
    hintEn: 'Add -target=fig-left, fig-center, fig-right, bg-main or the id of a figure.',
    example: 'setAnimation:shake;',
  }),
  'unknown-target': declare('warning', 'syntax', {
    zh: '舞台上没有叫 {name} 的对象，也没有立绘用过这个 id，什么也不会发生。{near}',
    en: 'Nothing on stage is called {name}, and no figure has that id: nothing happens.{near}',
    hintZh: '检查拼写，或在 changeFigure 里写 -id={name}。',
    hintEn: 'Check the spelling, or give a figure -id={name}.',
    example: 'setAnimation:shake -target=figleft;',
  }),
};
