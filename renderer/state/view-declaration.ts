import type { Icon } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { View } from '../../shared/model/command.ts';

/** What the shell needs of a view. Each area with a view declares it in its `view.ts`; `shell/views.ts` lists them. */
export interface ViewDeclaration {
  /** The key is the position in `VIEWS`, which the menus of the host use too. */
  id: View;
  icon: Icon;
  /** Message key. */
  title: string;
  /** Loads the component, after the window is shown. The editor has none: it is always mounted. */
  load?: () => Promise<ComponentType>;
  /** Returns the message key of what waits in the view, which marks its button; null for nothing. */
  useNote?: () => string | null;
}
