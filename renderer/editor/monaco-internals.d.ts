/** The inner parts of Monaco that the page reaches for, as far as it uses them; they have no public types. */
declare module 'monaco-editor/base/browser/ui/hover/hoverDelegateFactory.js' {
  export function setHoverDelegateFactory(
    factory: (placement: 'mouse' | 'element', isInstant: boolean) => unknown,
  ): void;
}

declare module 'monaco-editor/editor/browser/editorExtensions.js' {
  interface StepCommand {
    /** The one with the greatest priority is asked first; true ends the asking. */
    addImplementation(priority: number, name: string, run: () => boolean): unknown;
  }
  export const UndoCommand: StepCommand;
  export const RedoCommand: StepCommand;
}

declare module 'monaco-editor/editor/standalone/browser/standaloneServices.js' {
  export const StandaloneServices: {
    get(id: unknown): { createInstance(part: unknown, ...given: unknown[]): unknown };
  };
}

declare module 'monaco-editor/platform/hover/browser/hover.js' {
  export const WorkbenchHoverDelegate: unknown;
}

declare module 'monaco-editor/platform/instantiation/common/instantiation.js' {
  export const IInstantiationService: unknown;
}
