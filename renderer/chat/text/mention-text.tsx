import type { ReactNode } from 'react';
import { toShownParts } from '../../../shared/text/shown-text.ts';
import { Quoted } from '../../ui/text/quoted.tsx';
import { PlaceButton } from './place-button.tsx';
import { findPlaces } from './place-links.ts';
import { useKnownPaths } from './use-known-paths.ts';

interface MentionTextProps {
  text: string;
}

/** A plain sentence: named scene files are links, and names and text that do not come from the app are marked. */
export function MentionText({ text }: MentionTextProps) {
  const knownPaths = useKnownPaths();
  const parts: ReactNode[] = [];
  for (const part of toShownParts(text)) {
    if (part.isQuoted) {
      const [place] = findPlaces(part.text, knownPaths);
      const isPlace = place && place.start === 0 && place.end === part.text.length;
      const quoted = <Quoted key={parts.length} text={part.text} />;
      parts.push(
        isPlace ? (
          <PlaceButton key={parts.length} path={place.path} line={place.line}>
            {quoted}
          </PlaceButton>
        ) : (
          quoted
        ),
      );
      continue;
    }
    let from = 0;
    for (const { start, end, path, line } of findPlaces(part.text, knownPaths)) {
      parts.push(part.text.slice(from, start));
      parts.push(
        <PlaceButton key={parts.length} path={path} line={line}>
          {part.text.slice(start, end)}
        </PlaceButton>,
      );
      from = end;
    }
    parts.push(part.text.slice(from));
  }
  return parts;
}
