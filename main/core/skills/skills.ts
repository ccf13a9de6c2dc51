import type { SkillFile, SkillFiles } from '../ports/stores/skill-files.ts';
import { toTextVersion } from '../text/text-version.ts';
import { parseSkill, type SkillText } from './parse-skill.ts';

export interface Skill extends SkillText {
  /** The file's name. */
  file: string;
  /** Where the skill lies: with the game, or in the user's own folder. */
  from: 'game' | 'user';
}

/** A skill of the game that the user has not decided about. */
export interface WaitingSkill extends Skill {
  /** The whole file, as the user is shown it. */
  text: string;
  version: string;
}

/** The skills for the model of one game. */
export interface Skills {
  /**
   * Reads the skills again. `waiting` are those of the game without an answer; until a yes neither their names nor their
   * descriptions may reach a model.
   */
  look(): Promise<{ offered: readonly Skill[]; waiting: readonly WaitingSkill[] }>;
  /** Stores a yes for exactly these texts. A no holds until the game is opened again or a text changes. */
  decide(waiting: readonly WaitingSkill[], isAllowed: boolean): Promise<void>;
}

export function createSkills(files: SkillFiles): Skills {
  const refused = new Set<string>();

  return {
    async look() {
      const [mine, theirs, allowed] = await Promise.all([files.ofUser(), files.ofGame(), files.allowed()]);
      const offered = mine.flatMap((file) => toSkill(file, 'user'));
      const waiting: WaitingSkill[] = [];
      for (const file of theirs) {
        const [skill] = toSkill(file, 'game');
        // A skill of a game must not stand in for one of the user.
        if (!skill || offered.some(({ name }) => name === skill.name)) continue;
        const { version } = await toTextVersion(`${file.name}\n${file.text}`);
        if (allowed.has(version)) offered.push(skill);
        else if (!refused.has(version)) waiting.push({ ...skill, text: file.text, version });
      }
      return { offered, waiting };
    },
    async decide(waiting, isAllowed) {
      const versions = waiting.map(({ version }) => version);
      if (isAllowed) await files.allow(versions);
      else for (const version of versions) refused.add(version);
    },
  };
}

function toSkill(file: SkillFile, from: Skill['from']): Skill[] {
  const parsed = parseSkill(file);
  return parsed === null ? [] : [{ ...parsed, file: file.name, from }];
}
