import { expect, test } from '../fixtures.ts';

// The desktop window has the policy that refuses this; in browsers without it the app takes the focus back.
test.describe('a game that requests the focus at intervals', () => {
  test.use({
    gameScript: `console.log('LOOT ready'); const field = document.createElement('input'); setInterval(() => { document.body?.append(field); window.focus(); field.focus(); }, 2500);`,
  });
  test.setTimeout(120_000);

  test('is stopped where the browser allows the request', async ({ app }) => {
    const { page } = app;
    await page.addInitScript(() => {
      const { setAttribute } = Element.prototype;
      Element.prototype.setAttribute = function (name, value) {
        if (this instanceof HTMLIFrameElement && name === 'inert') return;
        setAttribute.call(this, name, this instanceof HTMLIFrameElement && name === 'allow' ? 'autoplay' : value);
      };
    });
    await page.reload();
    await page.getByTestId('code').getByText('小满').first().click({ timeout: 40_000 });
    await expect(page.getByRole('button', { name: 'Start again' })).toBeVisible({ timeout: 40_000 });
  });
});
