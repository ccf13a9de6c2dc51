const MEDIA =
  /\.(png|jpe?g|gif|webp|avif|bmp|ico|svgz|psd|mp3|ogg|oga|wav|flac|m4a|aac|opus|mp4|webm|mkv|mov|avi|ttf|otf|woff2?|zip|7z|rar|gz|exe|dll|skel|moc3?|wasm|bin)$/i;

/**
 * True for a file that is not text, judged by its extension: a search skips it. Pure and without imports: the search
 * thread calls it for every file.
 */
export function isMediaName(path: string): boolean {
  return MEDIA.test(path);
}
