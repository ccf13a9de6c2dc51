/**
 * Texts that the forms of the editor WebGAL Terre insert until a file is chosen, in its languages. They never have an
 * extension. Language data: the words of its forms.
 */
const PLACEHOLDER =
  /^(?:选择(?:场景|立绘|背景|视频|动画|小头像|头像|效果音|音效|语音|音频|音乐|图片|文件|鉴赏).{0,12}|(?:choose|select)(?: an?| the)? (?:scene|figure|sprite|background|bg|video|animation|mini ?avatar|avatar|sound|effect|voice|music|image|file|bgm|cg)\b.{0,20}|.{0,20}(?:ファイル|画像|アバター|アニメーション|BGM|シーン|効果音)を選択)$/i;

/** True for a placeholder in place of a file name. */
export function isPlaceholder(name: string): boolean {
  return name.length >= 4 && name.length <= 40 && !name.includes('.') && PLACEHOLDER.test(name.trim());
}
