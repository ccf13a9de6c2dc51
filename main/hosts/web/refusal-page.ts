/** What a browser shows that came without the launch link, or with one that was used already. */
export const REFUSAL_PAGE = `<!doctype html>
<html lang="zh-CN">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>WebGAL Agent</title>
    <style>
      :root { color-scheme: light dark; font: 16px/1.7 system-ui, sans-serif; }
      body { max-width: 34rem; margin: 18vh auto 0; padding: 0 1.5rem; }
    </style>
  </head>
  <body>
    <h1>WebGAL Agent</h1>
    <p>这个页面要从 WebGAL Agent 启动时给出的链接打开，每个链接只能用一次。请重新启动应用，再点新的链接。</p>
    <p lang="en">This page opens from the link WebGAL Agent shows when it starts, and each link works once. Start the app again and follow its new link.</p>
  </body>
</html>
`;
