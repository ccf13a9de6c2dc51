import { declare } from './declaration.ts';

export const FLOW_DIAGNOSTICS = {
  'missing-label': declare('error', 'syntax', {
    zh: '这个场景里没有标签 {name}，跳转会被跳过，接着执行下一行。{near}',
    en: 'This scene has no label {name}: the jump is skipped and the next line follows.{near}',
    hintZh: '标签只在同一个场景里有效。写 label:{name}，或改成已有的标签。',
    hintEn: 'Labels count within one scene. Write label:{name}, or name one that is there.',
    example: 'jumpLabel:nolabel;',
  }),
  'duplicate-label': declare('error', 'syntax', {
    zh: '标签 {name} 在这个场景里写了不止一次，引擎总是跳到最后一个（第 {line} 行）。',
    en: 'The label {name} stands in this scene more than once; the engine always goes to the last (line {line}).',
    hintZh: '给其中一个改名。',
    hintEn: 'Rename one of them.',
    example: 'label:x;',
  }),
  'unused-label': declare('info', 'style', {
    zh: '没有任何跳转用到标签 {name}。',
    en: 'Nothing jumps to the label {name}.',
    hintZh: '不需要的话可以删掉。',
    hintEn: 'Remove it if it is not needed.',
    example: 'label:unused;',
  }),
  'endless-loop': declare('error', 'syntax', {
    zh: '从标签 {name} 到这里没有任何会停下来的语句，游戏会一直空转。',
    en: 'Nothing between the label {name} and here ever pauses: the game spins for ever.',
    hintZh: '在循环里放一句台词或选项，或给跳转加条件。',
    hintEn: 'Put dialogue or a choice into the loop, or give the jump a condition.',
    example: 'jumpLabel:a;',
  }),
  'no-ending': declare('warning', 'syntax', {
    zh: '场景到这里就没有了：既没有 end，也没有跳到别处，游戏会停在最后一句。',
    en: 'The scene stops here with neither end nor a jump: the game hangs on the last line.',
    hintZh: '加上 end; 或 changeScene:下一个场景.txt;',
    hintEn: 'Add end; or changeScene: and the next scene.',
    example: 'A:再见;',
  }),
  unreachable: declare('info', 'syntax', {
    zh: '这里的 {count} 行永远执行不到：前面已经跳走或结束了。',
    en: 'These {count} lines are never reached: the story has jumped away or ended before.',
    hintZh: '在前面加一个 label，或删掉它们。',
    hintEn: 'Put a label before them, or remove them.',
    example: 'A:到不了;',
  }),
  'wrong-slot-closed': declare('warning', 'syntax', {
    zh: '这里关的是{side}的立绘，而那里的立绘有自己的 id“{id}”，它会留在舞台上。',
    en: 'This closes the figure at the {side}, but the one there has the id “{id}” and stays on stage.',
    hintZh: '写成 changeFigure:none -id={id}。',
    hintEn: 'Write changeFigure:none -id={id}.',
    example: 'changeFigure:none -left;',
  }),
  'concat-first': declare('info', 'style', {
    zh: '-concat 把文字接在上一句后面，而这是场景的第一句台词。',
    en: '-concat adds to the text before, and this is the first dialogue of the scene.',
    hintZh: '删掉 -concat。',
    hintEn: 'Remove -concat.',
    example: 'A:你好 -concat;',
  }),
  'notend-alone': declare('info', 'style', {
    zh: '-notend 表示话没说完，但下一句台词没有 -concat，文字会被换掉。',
    en: '-notend says there is more to come, but the next dialogue has no -concat and replaces the text.',
    hintZh: '给下一句加上 -concat。',
    hintEn: 'Give the next line -concat.',
    example: 'A:等一下 -notend;',
  }),
};
