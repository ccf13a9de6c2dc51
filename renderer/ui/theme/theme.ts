import {
  ActionIcon,
  Button,
  Combobox,
  type CSSVariablesResolver,
  createTheme,
  Input,
  type MantineColorsTuple,
  Menu,
  Modal,
  Popover,
  SegmentedControl,
  Switch,
  Tooltip,
} from '@mantine/core';
import { type Palette, palettes } from './palette.ts';

/** System fonts, including Chinese ones: no download, native appearance. */
export const UI_FONT =
  '"Inter", "Segoe UI Variable Text", "Segoe UI", -apple-system, BlinkMacSystemFont, "Helvetica Neue", "Noto Sans", "Ubuntu", "Cantarell", "Liberation Sans", "PingFang SC", "Microsoft YaHei UI", "Microsoft YaHei", "Noto Sans SC", "Noto Sans CJK SC", "Source Han Sans SC", "Hiragino Sans", system-ui, sans-serif';
export const CODE_FONT =
  '"JetBrains Mono", "Cascadia Mono", "SF Mono", Menlo, Consolas, "Sarasa Mono SC", "Noto Sans Mono CJK SC", "PingFang SC", "Microsoft YaHei", monospace';
/** For titles of the story, as opposed to the app. */
const STORY_FONT =
  '"Iowan Old Style", "Palatino Linotype", Palatino, Georgia, "Songti SC", "STSong", "Noto Serif SC", "Noto Serif CJK SC", "Source Han Serif SC", SimSun, serif';

const iris: MantineColorsTuple = [
  '#f1f0fc',
  '#e0dff8',
  '#c3c2f1',
  '#a9a8f5',
  '#8a89e8',
  '#6463d8',
  '#5352cc',
  '#4b4ac2',
  '#4140ab',
  '#343389',
];

/** Warm neutrals instead of Mantine's bluish ones, for styles that do not use the palette variables. */
const gray: MantineColorsTuple = [
  '#faf8f4',
  '#f0ece4',
  '#e6e0d5',
  '#dcd5c8',
  '#cbc3b5',
  '#a89f91',
  '#857c6f',
  '#655f55',
  '#3d3931',
  '#28251f',
];
const dark: MantineColorsTuple = [
  '#e9e5dd',
  '#cfc9be',
  '#aea89d',
  '#9c968b',
  '#413d37',
  '#383530',
  '#282622',
  '#1e1d1a',
  '#171614',
  '#100f0e',
];

/** Mantine theme: dense, 8 px corners. Colors come from the palette through `cssVariables`. */
export const theme = createTheme({
  primaryColor: 'iris',
  primaryShade: { light: 6, dark: 5 },
  colors: { iris, gray, dark },
  fontFamily: UI_FONT,
  fontFamilyMonospace: CODE_FONT,
  headings: { fontFamily: UI_FONT, fontWeight: '600' },
  fontSizes: { xs: '12px', sm: '13px', md: '13px', lg: '15px', xl: '18px' },
  lineHeights: { xs: '1.5', sm: '1.55', md: '1.6', lg: '1.5', xl: '1.4' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  components: {
    Button: Button.extend({
      defaultProps: { size: 'xs' },
      vars: () => ({ root: { '--button-fz': '13px' } }),
      styles: { label: { fontWeight: 500 } },
    }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: 'subtle', color: 'gray', size: 'md' } }),
    Input: Input.extend({ vars: () => ({ wrapper: { '--input-fz': '13px', '--input-height': '32px' } }) }),
    InputWrapper: Input.Wrapper.extend({
      styles: { description: { fontSize: '12px', lineHeight: 1.5 }, error: { fontSize: '12px' } },
    }),
    SegmentedControl: SegmentedControl.extend({ defaultProps: { size: 'xs', radius: 'md' } }),
    Switch: Switch.extend({ defaultProps: { size: 'sm' } }),
    Tooltip: Tooltip.extend({
      // Not in a portal: a tooltip must be in the landmark of its target.
      defaultProps: { openDelay: 350, fz: 12, px: 8, py: 3, withinPortal: false, floatingStrategy: 'fixed' },
      vars: () => ({ tooltip: { '--tooltip-bg': 'var(--tooltip)', '--tooltip-color': 'var(--on-tooltip)' } }),
    }),
    // Not in a portal, as for tooltips. Menus, drop-down lists and hover cards are all popovers.
    Combobox: Combobox.extend({ defaultProps: { withinPortal: false, floatingStrategy: 'fixed' } }),
    Popover: Popover.extend({ defaultProps: { withinPortal: false, floatingStrategy: 'fixed' } }),
    Menu: Menu.extend({
      defaultProps: {
        ...{ shadow: 'md', radius: 'md', withInitialFocusPlaceholder: false },
        // Never higher than the room at its side; the rest is reached by scrolling.
        middlewares: { size: { padding: 8 } },
      },
      styles: { dropdown: { overflowY: 'auto' }, item: { padding: '5px 10px' } },
    }),
    Modal: Modal.extend({
      defaultProps: {
        centered: true,
        radius: 'lg',
        overlayProps: { backgroundOpacity: 0.35 },
        // The header of a dialog is not a banner landmark of the page.
        attributes: { header: { role: 'presentation' } },
      },
      styles: { title: { fontSize: '15px', fontWeight: 600 } },
    }),
  },
});

const toKebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function toVariables(palette: Palette): Record<string, string> {
  const own = Object.fromEntries(Object.entries(palette).map(([name, value]) => [`--${toKebab(name)}`, value]));
  return {
    ...own,
    '--mantine-color-body': palette.panel,
    '--mantine-color-text': palette.ink,
    '--mantine-color-dimmed': palette.muted,
    '--mantine-color-placeholder': palette.faint,
    '--mantine-color-anchor': palette.accent,
    '--mantine-color-error': palette.error,
    '--mantine-color-default': palette.raised,
    '--mantine-color-default-hover': palette.hover,
    '--mantine-color-default-color': palette.ink,
    '--mantine-color-default-border': palette.line,
    '--mantine-color-iris-filled': palette.accentFill,
    '--mantine-color-iris-text': palette.accent,
    '--mantine-color-iris-light': palette.accentSoft,
    '--mantine-color-iris-light-hover': palette.accentSoft,
    '--mantine-color-iris-light-color': palette.accent,
    '--mantine-color-gray-text': palette.muted,
    '--mantine-color-gray-light': palette.sunk,
    '--mantine-color-gray-light-hover': palette.hover,
    '--mantine-color-gray-light-color': palette.muted,
    '--mantine-color-red-text': palette.error,
    '--mantine-color-red-light': palette.errorSoft,
    '--mantine-color-red-light-hover': palette.errorSoft,
    '--mantine-color-red-light-color': palette.error,
  };
}

/** Overrides Mantine's colors with the palette, for both color schemes. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: { '--font-ui': UI_FONT, '--font-code': CODE_FONT, '--font-story': STORY_FONT },
  light: {
    ...toVariables(palettes.light),
    '--shadow': '0 1px 2px rgb(60 50 30 / 6%), 0 8px 28px rgb(60 50 30 / 10%)',
    '--tooltip': palettes.light.ink,
    '--on-tooltip': palettes.light.panel,
  },
  dark: {
    ...toVariables(palettes.dark),
    '--shadow': '0 1px 2px rgb(0 0 0 / 30%), 0 10px 32px rgb(0 0 0 / 42%)',
    '--tooltip': palettes.dark.line,
    '--on-tooltip': palettes.dark.ink,
  },
});
