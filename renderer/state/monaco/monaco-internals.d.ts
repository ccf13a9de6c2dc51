/** Types for the used parts of Monaco's internal modules, which have no public types. */
declare module 'monaco-editor/base/browser/ui/hover/hoverDelegateFactory.js' {
  export function setHoverDelegateFactory(
    factory: (placement: 'mouse' | 'element', isInstant: boolean) => unknown,
  ): void;
}

declare module 'monaco-editor/editor/browser/editorExtensions.js' {
  interface StepCommand {
    /** Implementations run in descending priority until one returns true. */
    addImplementation(priority: number, name: string, run: () => boolean): unknown;
  }
  export const UndoCommand: StepCommand;
  export const RedoCommand: StepCommand;
}

declare module 'monaco-editor/editor/browser/view/domLineBreaksComputer.js' {
  export const DOMLineBreaksComputerFactory: {
    create(view: Window): import('./line-wrapping.ts').WrappingFactory<object, unknown[]>;
  };
}

declare module 'monaco-editor/editor/common/viewModel/monospaceLineBreaksComputer.js' {
  export const MonospaceLineBreaksComputerFactory: {
    create(options: { get(id: number): string }): import('./line-wrapping.ts').WrappingFactory<object, unknown[]>;
  };
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
