import type { CallToolResult, ContentBlock, ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import type { ProviderAnswer, ProviderContent } from '../../../core/ports/providers/provider.ts';

/** Most bytes of the pictures and sounds of one answer. */
const MAX_MEDIA_BYTES = 12 * 1024 * 1024;

/** Converts the result of a tool. Pictures and sounds that are too large are dropped with a sentence. */
export function toToolAnswer(result: CallToolResult): ProviderAnswer {
  const content = result.content.flatMap(toContent);
  const { structuredContent } = result;
  if (content.length === 0 && structuredContent !== undefined) {
    content.push({ kind: 'text', text: JSON.stringify(structuredContent) });
  }
  return { ...bound(content), failed: result.isError === true };
}

export function toResourceAnswer({ contents }: ReadResourceResult): ProviderAnswer {
  return { ...bound(contents.flatMap(toResource)), failed: false };
}

function toContent(block: ContentBlock): ProviderContent[] {
  switch (block.type) {
    case 'text':
      return [{ kind: 'text', text: block.text }];
    case 'image':
    case 'audio':
      return [{ kind: 'media', mediaType: block.mimeType, bytes: Buffer.from(block.data, 'base64') }];
    case 'resource':
      return toResource(block.resource);
    case 'resource_link':
      return [{ kind: 'link', address: block.uri, title: block.title ?? block.name }];
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
