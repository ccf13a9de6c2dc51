import type {
  CallToolResult,
  ContentBlock,
  ListResourcesResult,
  ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { ProviderAnswer, ProviderContent } from '../../../core/ports/providers/provider.ts';
import type { ResourceNames } from './resource-names.ts';

/** Most bytes of the pictures and sounds of one answer. */
const MAX_MEDIA_BYTES = 12 * 1024 * 1024;
/** Characters of an address or cursor, of a name, and of a list; answers are cut at 20,000. */
const MAX_ADDRESS = 1000;
const MAX_NAME = 120;
const MAX_LIST = 18_000;

/**
 * Converts the result of a tool. Pictures and sounds that are too large are dropped with a sentence; links to what was listed have the
 * names of the list.
 */
export function toToolAnswer(result: CallToolResult, { show }: Pick<ResourceNames, 'show'>): ProviderAnswer {
  const content = result.content.flatMap((block) => toContent(block, show));
  const { structuredContent } = result;
  if (content.length === 0 && structuredContent !== undefined) {
    content.push({ kind: 'text', text: JSON.stringify(structuredContent) });
  }
  return { ...bound(content), failed: result.isError === true };
}

export function toResourceAnswer({ contents }: ReadResourceResult): ProviderAnswer {
  return { ...bound(contents.flatMap(toResource)), failed: false };
}

/**
 * Returns a page of resources, one a line, by the names that they are given. An address or a cursor that is too long to be sent back
 * whole is left out, and so is what would be cut later; the cursor of the next page comes first.
 */
export function toResourceList(
  { resources, nextCursor }: ListResourcesResult,
  { give }: Pick<ResourceNames, 'give'>,
): ProviderAnswer {
  const lines: string[] = [];
  if (nextCursor !== undefined && nextCursor.length <= MAX_ADDRESS && !/\s/.test(nextCursor)) {
    lines.push(`More with cursor ${nextCursor}`);
  }
  const least = lines.length;
  let characters = 0;
  for (const { uri, title, name, mimeType = 'unknown', description } of resources) {
    if (uri.length > MAX_ADDRESS) continue;
    const about = description === undefined ? '' : `: ${toLine(description)}`;
    const line = `${give(uri)} ${toLine(title ?? name)} (${toLine(mimeType)})${about}`;
    characters += line.length + 1;
    if (characters > MAX_LIST) break;
    lines.push(line);
  }
  const dropped = resources.length - (lines.length - least);
  return {
    ...{ content: [{ kind: 'text', text: lines.join('\n') }], failed: false },
    ...(dropped > 0 && { leftOut: `${dropped} more resources` }),
  };
}

/** Returns text on one line, so that it looks like no line of its own. */
function toLine(text: string): string {
  return text.slice(0, MAX_NAME).replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}

function toContent(block: ContentBlock, show: ResourceNames['show']): ProviderContent[] {
  switch (block.type) {
    case 'text':
      return [{ kind: 'text', text: block.text }];
    case 'image':
    case 'audio':
      return [{ kind: 'media', mediaType: block.mimeType, bytes: Buffer.from(block.data, 'base64') }];
    case 'resource':
      return toResource(block.resource);
    case 'resource_link':
      return [{ kind: 'link', address: show(block.uri), title: block.title ?? block.name }];
    default:
      return [];
  }
}

function toResource(resource: ReadResourceResult['contents'][number]): ProviderContent[] {
  if ('text' in resource) return [{ kind: 'text', text: resource.text }];
  const mediaType = resource.mimeType ?? 'application/octet-stream';
  return [{ kind: 'media', mediaType, bytes: Buffer.from(resource.blob, 'base64'), name: resource.uri }];
}

function bound(content: readonly ProviderContent[]): Pick<ProviderAnswer, 'content' | 'leftOut'> {
  let bytes = 0;
  const kept = content.filter((part) => {
    if (part.kind !== 'media') return true;
    bytes += part.bytes.byteLength;
    return bytes <= MAX_MEDIA_BYTES;
  });
  const dropped = content.length - kept.length;
  return { content: kept, ...(dropped > 0 && { leftOut: `${dropped} files that are too large` }) };
}
