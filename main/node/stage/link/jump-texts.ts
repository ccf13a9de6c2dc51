import { MAX_PAST_JUMPS, type ReportedJump } from '../../../core/ports/stage-driver.ts';

/** A scene name with this query belongs to the text of one jump. */
const JUMP_QUERY = 'jump';
const JUMP_NUMBER = new RegExp(`\\?${JUMP_QUERY}=(\\d{1,9})$`);

export interface Jump {
  number: number;
  /** The scene's name, with a query if the jump has a text of its own. */
  scene: string;
  line: number;
}

/** The last jump, and the texts that the engine loads instead of the scenes on disk. */
export interface JumpTexts {
  last(): Jump | null;
  add(scene: string, line: number, text: string | undefined): void;
  /** Returns whose text a report names by its scene, which may have a query. */
  toReported(scene: string): ReportedJump;
  /** Forgets that the last jump was the last: the story was moved by another program. Its text stays. */
  supersede(): void;
  /** Returns the text of the jump that the query names; undefined if there is none. */
  find(path: string, query: URLSearchParams): string | undefined;
}

export function createJumpTexts(): JumpTexts {
  const texts = new Map<string, string>();
  let last: Jump | null = null;
  let jumps = 0;
  return {
    last: () => last,
    add(scene, line, text) {
      jumps += 1;
      last = { number: jumps, scene, line };
      if (text === undefined) return;
      texts.set(`game/scene/${scene}?${jumps}`, text);
      last.scene = `${scene}?${JUMP_QUERY}=${jumps}`;
      for (const key of texts.keys()) {
        if (texts.size <= MAX_PAST_JUMPS) break;
        texts.delete(key);
      }
    },
    toReported(scene) {
      const named = JUMP_NUMBER.exec(scene)?.[1];
      return { jumped: scene === last?.scene, ...(named !== undefined && { jump: Number(named) }) };
    },
    supersede() {
      last = null;
    },
    find(path, query) {
      const jump = query.get(JUMP_QUERY);
      return jump === null ? undefined : texts.get(`${path}?${jump}`);
    },
  };
}
