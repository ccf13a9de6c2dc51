import { useState } from 'react';

/** Rows that the user unfolded. They stay so while they are out of sight, and with it out of the page. */
const openRows = new Set<string>();

/** Whether a row is unfolded, and the way to change it. */
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
