import type { ViewerActionId, ViewerResult } from '../../../../shared/model/viewer.ts';

/** A call of another program to the window. `actionId` and `params` are not checked yet. */
export interface ViewerCall {
  actionId: string;
  params: Record<string, unknown>;
}

/** Lets other programs of the same user look at the window of an open game and move it. */
export interface ViewerDoor {
  /** Accepts calls until it is closed. `act` runs a call as the tool `viewer_action`, and never rejects. */
  open(act: (call: ViewerCall, signal: AbortSignal) => Promise<ViewerResult>): Promise<{ close(): Promise<void> }>;
}

/** The window of an app in another process that has the same game open. */
export interface RemoteViewer {
  /** Returns whether such an app is open; it may have ended since. */
  isThere(): boolean;
  act(action: ViewerActionId, params: Record<string, unknown>, signal: AbortSignal): Promise<ViewerResult>;
}
