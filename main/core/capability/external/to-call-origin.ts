import { CallOrigin } from '../../../../shared/model/capability/provider-frames.ts';
import type { ToolContext } from '../define-tool.ts';

/**
 * Returns what another program is told about who calls it. A trace can be text that a client chose, so only ids are passed on.
 */
export function toCallOrigin({ caller, trace, locale }: Pick<ToolContext, 'caller' | 'trace' | 'locale'>): CallOrigin {
  const { data: traceId } = CallOrigin.shape.traceId.safeParse(trace);
  return { caller, language: locale, ...(traceId !== undefined && { traceId }) };
}
