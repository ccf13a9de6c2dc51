import { expect, test } from 'vitest';
import { palettes } from '../../ui/theme/palette.ts';
import { estimateWidth, fitText, fitTitle } from '../layout/fit-text.ts';
import { layOutStory } from '../layout/lay-out-story.ts';
import { toPictureScale } from './save-picture.ts';
import { escapeXml, toStorySvg } from './story-svg.ts';

const look = { palette: palettes.light, fontFamily: '"Inter", sans-serif', title: 'A & B' };

test('escapes user text', () => {
  expect(escapeXml(`<script>"a" & 'b'</script>`)).toBe(
    '&lt;script&gt;&quot;a&quot; &amp; &apos;b&apos;&lt;/script&gt;',
  );
  expect(escapeXml('\u0000a\u001b\ud800b\udc00\ufffe😀\n')).toBe('\ufffda\ufffd\ufffdb\ufffd\ufffd😀\n');
});

test('creates a standalone document with only the drawn content', () => {
  const hostile = '</text><script>x</script>\u0000]]>&';
  const node = { path: 'p', line: 1, endLine: 1, opening: hostile, note: hostile, marks: [], count: 0 };
  const svg = toStorySvg(
    layOutStory({
      detail: 'scenes',
      nodes: [
        { ...node, id: 'a', title: hostile, marks: [{ mark: 'start', text: hostile }] },
        { ...node, id: 'b', title: 'b', marks: [{ mark: 'unreachable', text: 'never' }] },
      ],
      edges: [{ id: 'e', from: 'a', to: 'b', path: 'p', line: 1, kind: 'call', lines: ['<b>', 'if a<b'] }],
    }),
    look,
  );
  expect([...new Set(svg.match(/<\/?[a-z]+/g))].sort()).toEqual([
    '</svg',
    '</text',
    '</title',
    '<path',
    '<rect',
    '<svg',
    '<text',
    '<title',
  ]);
  expect(svg).toContain('<title>A &amp; B</title>');
  expect(svg).toContain('font-family="&quot;Inter&quot;, sans-serif"');
  expect(svg).toContain('>if a&lt;b</text>');
  expect(svg).not.toMatch(/&(?!(amp|lt|gt|quot|apos);)|undefined|NaN/);
  expect(svg).not.toContain('\u0000');
  expect(svg.match(/<text/g)?.length).toBe(svg.match(/<\/text>/g)?.length);
});

test('creates an empty image for an empty map', () => {
  const svg = toStorySvg({ detail: 'scenes', nodes: [], ways: [], width: 0, height: 0, isPlain: false }, look);
  expect(svg).toContain('width="1" height="1"');
});

test('truncates text between characters', () => {
  expect(fitTitle('short', 100, 10)).toBe('short');
  expect(fitTitle('一二三四五六七八九十前篇', 90, 10)).toBe('一二三四五…十前篇');
  expect(fitTitle('😀😀😀😀😀😀😀', 60, 10)).toBe('😀😀😀…😀😀');
  expect(fitText('short', 100, 10)).toBe('short');
  expect(fitText('一二三四五六七八九十', 60, 10)).toBe('一二三四五…');
  expect(fitText('😀😀😀😀', 25, 10)).toBe('😀…');
  expect(estimateWidth(fitText('a long line of words', 60, 10), 10)).toBeLessThanOrEqual(62);
});

test('limits the image scale to the canvas limits and to 2', () => {
  expect([toPictureScale(500, 400), toPictureScale(16_384, 100), toPictureScale(100, 32_768)]).toEqual([2, 0.5, 0.25]);
  const scale = toPictureScale(8000, 8000);
  expect(8000 * 8000 * scale * scale).toBeLessThanOrEqual(48_000_001);
});
