import { app, type BrowserWindow, dialog } from 'electron';

const TEXTS = {
  zh: {
    message: '还有内容没有保存好',
    detail: '现在关闭,最后的改动可能会丢失。',
    stay: '留下',
    leave: '仍要关闭',
  },
  en: {
    message: 'Some changes are not saved yet',
    detail: 'If you close now, your latest changes may be lost.',
    stay: 'Stay',
    leave: 'Close anyway',
  },
};

/**
 * Lets her decide when the page objects to being closed. A browser asks by itself; Electron does not, and without a
 * question the window could never be closed again. The system's language words it, for the page may be what hangs.
 */
export function askBeforeLeaving(window: BrowserWindow): void {
  window.webContents.on('will-prevent-unload', (event) => {
    const { message, detail, stay, leave } = app.getLocale().startsWith('zh') ? TEXTS.zh : TEXTS.en;
    const choice = dialog.showMessageBoxSync(window, {
      type: 'warning',
      title: 'WebGAL Agent',
      message,
      detail,
      noLink: true,
      buttons: [stay, leave],
      defaultId: 0,
      cancelId: 0,
    });
    // Prevented is the page's objection, not the closing.
    if (choice === 1) event.preventDefault();
  });
}
