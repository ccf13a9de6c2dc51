import type { Locale } from '../../../../shared/model/text.ts';

interface PracticeTexts {
  lookingAround: string;
  plan: string;
  progress: [string, string, string];
  writing: string;
  shorter: string;
  done: string;
  again: string;
  noScene: string;
  /** Narration of the passage; `give` and `run` are what the player chooses between. */
  passage: { note: string; opening: string; give: string; run: string; gave: string; ran: string; closing: string };
}

/** The texts of the practice assistant, which introduces itself as such. */
export const PRACTICE_TEXTS: Record<Locale, PracticeTexts> = {
  'zh-CN': {
    lookingAround: '这是练习，没有真正的模型参与。我先看看这个游戏里有什么。',
    plan: [
      '练习计划：在开头这一场的末尾，加一小段雨中的选择。',
      '',
      '1. 读一遍开头的场景，找到适合停顿的地方',
      '2. 写一段雨，让玩家在两个选项里选一个，两条路再合到一起',
      '3. 检查脚本，确认没有写坏任何地方',
    ].join('\n'),
    progress: ['1/3 读开头的场景', '2/3 写雨中的选择', '3/3 检查脚本'],
    writing: '找到地方了。下面这段只是草稿，要等你点「接受」才会写进文件。',
    shorter: '明白，文件没有被改动。我按你的意思写短一些。',
    done: '我在开头这一场的末尾提议加一段雨：玩家可以递伞，也可以一起跑，两条路都回到原来的故事。请先读一读、演一遍，再决定接受还是退回。',
    again: '练习用的那段雨已经在稿子里了。你可以接受它、退回它，或者在历史里把它恢复掉再来一次。',
    noScene: '这里没有可以读的场景。练习需要在示例游戏里进行：请打开示例，再开始一次。',
    passage: {
      note: '练习：雨里的一个选择',
      opening: '雨忽然大了起来。屋檐下只剩一把伞。',
      give: '把伞递过去',
      run: '一起跑进雨里',
      gave: '伞柄上还留着一点温度，谁也没有先开口。',
      ran: '鞋子很快湿透了，笑声却比雨声还响。',
      closing: '等雨停下来的时候，街灯刚好亮了。',
    },
  },
  en: {
    lookingAround: 'This is practice: no real model is behind it. Let me see what is in this game.',
    plan: [
      'A plan for practice: add a small choice in the rain at the end of the opening scene.',
      '',
      '1. Read the opening scene and find a good place to pause',
      '2. Write the rain, with a choice of two ways that meet again',
      '3. Check the script, so that nothing is broken',
    ].join('\n'),
    progress: ['1/3 Reading the opening scene', '2/3 Writing the choice in the rain', '3/3 Checking the script'],
    writing: 'Found a place. What follows is a draft: it goes into the file only when you accept it.',
    shorter: 'I see. No file was changed. I will keep it shorter this time.',
    done: 'I propose a little rain at the end of the opening scene: the player offers the umbrella or runs along, and both ways return to your story. Read it, play it, then accept it or send it back.',
    again:
      'The rain for practice is in the draft already. Accept it, send it back, or restore the scene in the history and start over.',
    noScene: 'There is no scene to read here. Practice needs the sample game: open the sample and start again.',
    passage: {
      note: 'Practice: a choice in the rain',
      opening: 'The rain comes down hard. Under the eaves there is one umbrella left.',
      give: 'Offer the umbrella',
      run: 'Run into the rain together',
      gave: 'The handle is still a little warm. Neither of them speaks first.',
      ran: 'Shoes are soaked in no time, and the laughter is louder than the rain.',
      closing: 'When it stops, the street lamps have just come on.',
    },
  },
};
