import {
  IconAlertTriangle,
  IconBookmark,
  IconFileText,
  IconPhoto,
  IconTextCaption,
  IconUser,
  type TablerIcon,
} from '@tabler/icons-react';
import type { MentionKind } from '../../../shared/model/message/mention.ts';

const ICONS: Record<MentionKind, TablerIcon> = {
  scene: IconFileText,
  label: IconBookmark,
  character: IconUser,
  asset: IconPhoto,
  selection: IconTextCaption,
  problem: IconAlertTriangle,
};

/** The sign of a kind of mention. Decorative: the kind is named beside it. */
export function MentionIcon({ kind }: { kind: MentionKind }) {
  const Icon = ICONS[kind];
  return <Icon size={14} stroke={1.7} aria-hidden />;
}
