import { IconPencil } from '@tabler/icons-react';
import type { ViewDeclaration } from '../state/view-declaration.ts';

export const writeView: ViewDeclaration = { id: 'write', icon: IconPencil, title: 'shell:view.write' };
