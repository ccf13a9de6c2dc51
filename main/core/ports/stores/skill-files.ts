/** A Markdown file with a skill for the assistant. */
export interface SkillFile {
  /** The file's name, without folder. */
  name: string;
  text: string;
}

/**
 * The skills in a game's `.webgal_agent/skills` and in the app's folder `skills`, and which of the game's the user allowed. The
 * answers are kept in the app's folder, where no game can place them.
 */
export interface SkillFiles {
  /** Sorted by name. Links, files that are too large or not UTF-8, and files beyond a limit are left out. */
  ofGame(): Promise<SkillFile[]>;
  ofUser(): Promise<SkillFile[]>;
  /** The versions (SHA-256 of name and text) of the game's skills that the user allowed in this game. */
  allowed(): Promise<ReadonlySet<string>>;
  /** Resolves when it is on disk. */
  allow(versions: readonly string[]): Promise<void>;
}
