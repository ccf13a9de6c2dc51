import type { ReactNode } from 'react';
import { PlaceButton } from './place-button.tsx';
import { findPlaces } from './place-links.ts';
import { useKnownPaths } from './use-known-paths.ts';

interface MentionTextProps {
  text: string;
}

/** A plain sentence in which the scene files it names are links. */
export function MentionText({ text }: MentionTextProps) {
  const knownPaths = useKnownPaths();
  const parts: ReactNode[] = [];
  let from = 0;
  for (const { start, end, path, line } of findPlaces(text, knownPaths)) {
    parts.push(text.slice(from, start));
    parts.push(
      <PlaceButton key={start} path={path} line={line}>
        {text.slice(start, end)}
      </PlaceButton>,
    );
    from = end;
  }
  return (
    <>
      {parts}
      {text.slice(from)}
    </>
  );
}
