import { type DragEvent, type ReactNode, useState } from 'react';
import { isOutsideDrag } from '../../ui/file-drag.ts';
import { addAssets } from './add-assets.ts';
import classes from './asset-drop.module.css';

interface AssetDropProps {
  /** The kind of the list below. */
  shown: string;
  children: ReactNode;
}

/** Takes pictures and sounds that are dropped from outside. */
export function AssetDrop({ shown, children }: AssetDropProps) {
  const [isOver, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a button adds files without a pointer
    <div
      className={classes.area}
      data-over={isOver || undefined}
      data-takes="image audio video"
      onDragOver={(event: DragEvent) => {
        if (!isOutsideDrag(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        setOver(false);
        if (!isOutsideDrag(event)) return;
        event.preventDefault();
        void addAssets([...event.dataTransfer.files], shown);
      }}
    >
      {children}
    </div>
  );
}
