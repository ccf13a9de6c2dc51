/**
 * Colors of the app: warm neutrals, one accent (indigo), one color for speakers. Each color has a meaning. `*Soft` are
 * backgrounds for text. Monaco needs the values; everything else uses the CSS variables of the same names in kebab-case
 * (`--accent-soft`). The test checks text pairs against WCAG AA.
 */
export interface Palette {
  /** Window background: bars, rail. */
  paper: string;
  /** Background of text and editors. */
  panel: string;
  /** Recessed background: inactive tabs, tracks, chips. */
  sunk: string;
  /** Background of menus and cards above a panel. */
  raised: string;
  hover: string;
  line: string;
  /** Borders of controls: contrast 3:1 against the panel. */
  edge: string;
  ink: string;
  muted: string;
  faint: string;
  accent: string;
  accentFill: string;
  onAccent: string;
  accentSoft: string;
  voice: string;
  voiceSoft: string;
  added: string;
  addedSoft: string;
  removed: string;
  removedSoft: string;
  warn: string;
  warnSoft: string;
  error: string;
  errorSoft: string;
}

export const palettes: { light: Palette; dark: Palette } = {
  light: {
    paper: '#f7f4ee',
    panel: '#fefcf9',
    sunk: '#f0ece4',
    raised: '#ffffff',
    hover: '#ece7dd',
    line: '#e6e0d5',
    edge: '#958d80',
    ink: '#28251f',
    muted: '#655f55',
    faint: '#6f685d',
    accent: '#4b4ac2',
    accentFill: '#5352cc',
    onAccent: '#ffffff',
    accentSoft: '#ecebfa',
    voice: '#a93a66',
    voiceSoft: '#faebf1',
    added: '#1f6f47',
    addedSoft: '#e6f2e8',
    removed: '#ae352f',
    removedSoft: '#fae9e5',
    warn: '#85560a',
    warnSoft: '#f8efda',
    error: '#ae352f',
    errorSoft: '#fae9e5',
  },
  dark: {
    paper: '#171614',
    panel: '#1e1d1a',
    sunk: '#262421',
    raised: '#282622',
    hover: '#302d29',
    line: '#34312c',
    edge: '#7a746a',
    ink: '#e9e5dd',
    muted: '#aea89d',
    faint: '#9c968b',
    accent: '#a9a8f5',
    accentFill: '#6463d8',
    onAccent: '#ffffff',
    accentSoft: '#2b2a44',
    voice: '#ee9dba',
    voiceSoft: '#3c2630',
    added: '#84cfa3',
    addedSoft: '#203227',
    removed: '#f0978e',
    removedSoft: '#3b2421',
    warn: '#e0b866',
    warnSoft: '#372d1a',
    error: '#f0978e',
    errorSoft: '#3b2421',
  },
};
