import { declare } from './declaration.ts';

export const FILE_DIAGNOSTICS = {
  'missing-file': declare('error', 'resource', {
    zh: '{folder} 文件夹里没有 {file}，{effect}{near}',
    en: 'There is no {file} in the folder {folder}: {effect}{near}',
    hintZh: '把文件放进 {folder}，或改成已有的文件名。',
    hintEn: 'Put the file into {folder}, or name one that is there.',
    example: 'changeBg:missing.png;',
  }),
  'file-name-dash': declare('error', 'resource', {
    zh: '文件名 {actual} 里有“空格加连字符”，引擎只读到“{file}”就停下，找不到文件：{effect}',
    en: 'The file name {actual} holds a space followed by a hyphen. The engine reads the name only up to “{file}” and does not find the file: {effect}',
    hintZh: '把文件改名，去掉连字符前的空格，再在这里写新名字。',
    hintEn: 'Rename the file so that there is no space before its hyphen, then write the new name here.',
    example: 'bgm:Mili - Main theme.mp3;',
  }),
  'unportable-name': declare('info', 'resource', {
    zh: '文件 {file} 在这台电脑上找得到，但名字里有些字符别的系统存不了，或者显示成乱码，发布之后可能打不开。',
    en: 'The file {file} is found on this computer, but its name holds characters that other systems cannot store or show as garbage; once published it may not open.',
    hintZh: '给文件起一个简单的名字，例如只用字母、数字和汉字，再改掉脚本里的名字。',
    hintEn: 'Give the file a plain name, such as letters and digits only, and write that name in the scripts.',
    example: 'changeBg:a\u0085.png;',
  }),
  'nothing-chosen': declare('warning', 'resource', {
    zh: '这里还没有选择{what}，{effect}',
    en: 'No {what} chosen yet: {effect}',
    hintZh: '选一个文件，或者删掉这一行。',
    hintEn: 'Choose a file, or remove this line.',
    example: 'changeFigure:选择立绘文件;',
  }),
  'file-case': declare('warning', 'resource', {
    zh: '文件名的大小写不同：实际是 {actual}。在 Windows 上能用，发布到网页或 Linux 上会找不到。',
    en: 'The file is spelled {actual}. On Windows this works; published on the web or on Linux it is not found.',
    hintZh: '改成 {actual}。',
    hintEn: 'Write {actual}.',
    example: 'changeBg:BG.png;',
  }),
  'wrong-folder': declare('error', 'resource', {
    zh: '{command} 只在 {folder} 里找文件，而 {file} 放在 {actual} 里，所以找不到。',
    en: '{command} looks in {folder} only, but {file} is in {actual}, so it is not found.',
    hintZh: '把文件移到（或复制到）{folder}。',
    hintEn: 'Move or copy the file to {folder}.',
    example: 'playEffect:theme.mp3;',
  }),
  'wrong-file-type': declare('error', 'resource', {
    zh: '{command} 用不了 .{ending} 文件，什么也不会出现。',
    en: '{command} cannot use a .{ending} file: nothing appears.',
    hintZh: '换一个类型合适的文件。',
    hintEn: 'Name a file of a fitting type.',
    example: 'changeBg:theme.mp3;',
  }),
  'missing-scene': declare('error', 'resource', {
    zh: 'scene 文件夹里没有场景 {file}，跳转会失败，故事接着执行下一行。{near}',
    en: 'There is no scene {file}: the jump fails and the story goes on with the next line.{near}',
    hintZh: '新建这个场景，或改成已有的场景。',
    hintEn: 'Make the scene, or name one that is there.',
    example: 'changeScene:nope.txt;',
  }),
  'scene-extension': declare('error', 'resource', {
    zh: '场景要写扩展名：{file} 找不到，应写 {actual}。',
    en: 'A scene is named with its ending: {file} is not found, write {actual}.',
    hintZh: '改成 {actual}。',
    hintEn: 'Write {actual}.',
    example: 'changeScene:chapter2;',
  }),
  'figure-runtime': declare('warning', 'resource', {
    zh: '{file} 是 {format} 立绘，但游戏里没有它的运行库，画面上什么也不会出现。',
    en: '{file} is a {format} figure, but its runtime is not part of the game: nothing is drawn.',
    hintZh:
      'Live2D 需要把 live2d.min.js 和 live2dcubismcore.min.js 放进 game 旁边的 lib 文件夹；Spine 在公开的引擎里不能用。',
    hintEn:
      'Live2D needs live2d.min.js and live2dcubismcore.min.js in the folder lib beside game; Spine does not work in the published engine.',
    example: 'changeFigure:hiyori/model.json;',
  }),
};
