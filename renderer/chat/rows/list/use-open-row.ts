import { useState } from 'react';

/** Ids of expanded rows. Stored outside the rows because invisible rows are unmounted. */
const openRows = new Set<string>();

/** Returns whether a row is expanded, and a setter. */
export function useOpenRow(id: string): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useState(() => openRows.has(id));
  return [
    isOpen,
    (next) => {
      if (next) openRows.add(id);
      else openRows.delete(id);
      setOpen(next);
    },
  ];
}
