// Language data: how assistants say in Chinese, English and Japanese that they changed something.
const CLAIMS = [
  /(?:已经?|我|都)[^。；！？\n]{0,16}(?:修改|改好|改了|改成|改为|换成|写好|写了|写进|添加|加上|加了|加好|更新|创建|新建|删除|删掉|替换|起草|提议|调整)/,
  /\b(?:i(?:['’]ve| have)?|we(?:['’]ve| have)?|has been|have been|was|were)\s+(?:now\s+|also\s+|just\s+)?(?:added|changed|updated|written|wrote|edited|fixed|created|removed|deleted|replaced|rewritten|rewrote|inserted|drafted|proposed)\b/i,
  /(?:追加|変更|修正|更新|作成|削除|提案)し(?:ました|ておきました)|書き(?:ました|加えました|直しました)/,
];
// Language data: how they say that they did not.
const DENIES =
  /没有?(?:修改|改动|改|写|添加|任何|动)|未(?:做|作)?(?:修改|改动)|不会?(?:修改|改动)|\b(?:not|nothing|no changes?|without)\b|n['’]t\b|(?:ていません|ませんでした|せず)/i;

/**
 * Returns true if an assistant's closing text says that it changed something. A guess by wording, which only decides whether the
 * model is asked once more and whether the user is told that nothing changed. Pure.
 */
export function claimsChange(text: string): boolean {
  return !DENIES.test(text) && CLAIMS.some((pattern) => pattern.test(text));
}
