import type { ModelProblem } from '../../../shared/model/model-problem.ts';

/**
 * Language data: what providers write in refusals, in the order in which the patterns are tried. The first match decides, so a
 * narrow pattern stands before a wide one: Google calls its rate limit a quota with “billing” in the text, and a rate limit is
 * counted in tokens like a window. Numbers are the codes of Zhipu (GLM).
 */
const SPOKEN: readonly (readonly [ModelProblem, RegExp])[] = [
  ['tooLong', /model_context_window_exceeded|context_length_exceeded|exceed_context_size|"?code"?\s*:?\s*"?1261\b/i],
  ['tooLong', /request too large for|request_too_large|input_too_long/i],
  ['rate', /per[ _-]?(minute|day|second|hour)|rate.?limit|too many requests|free-models-per|throttling|retryDelay/i],
  [
    'rate',
    /concurrency|\b(RPM|TPM|RPD|TPD)\b|"?code"?\s*:?\s*"?130[2348]\b|请求过多|并发数过高|频率|速率限制|使用上限/i,
  ],
  [
    'tooLong',
    /maximum (context|prompt|input) length|context (length|window|size|limit)|prompt is too long|上下文.{0,8}(长|超)/i,
  ],
  ['tooLong', /input length .{0,40}exceeds|range of input length|input token count|exceeded model token limit/i],
  ['tooLong', /exceed(s|ed)? (the )?max(imum)? (message |input |context )?(tokens|length)|too many (input )?tokens/i],
  [
    'tooLong',
    /prompt (超长|exceeds max)|exceeded max context|tokens to keep from the initial prompt|keep the first \d+ tokens/i,
  ],
  ['tooLong', /输入.{0,6}(超|过)长|超(出|过).{0,12}(token|长度|上下文)|too long.{0,30}context/i],
  [
    'noTools',
    /(does not|doesn't|not) support(ed|s)? (the )?(use of )?(tools?|tool[ _-]?(use|calls?|calling|choice)|functions?)/i,
  ],
  [
    'noTools',
    /(tools?|tool (use|calling)|function calling|functions) (is|are) (not|un)|support(s)? tool use|enable-auto-tool-choice/i,
  ],
  ['noTools', /不支持.{0,8}(工具|函数调用|tool|function)/i],
  // Before “not found”, which OpenRouter says here, too; DeepSeek's refusal names the part of the message that it does not know.
  ['noPictures', /no endpoints found that support image|unknown variant `?image_url/i],
  [
    'noPictures',
    /(does not|doesn't|not|cannot) (support|accept|process|see)(ed|s)? .{0,40}(image|picture|vision|visual|multimodal)/i,
  ],
  [
    'noPictures',
    /(image|vision|multimodal)[ _]?(input|url|content)?s? .{0,30}(not (supported|enabled)|unsupported|only supported)|missing data required for image input/i,
  ],
  [
    'noPictures',
    /不支持.{0,10}(图片|图像|视觉|多模态)|(图片|图像|视觉).{0,10}不支持|is not a (vision|multimodal) model/i,
  ],
  [
    'memory',
    /requires more (system )?memory|out of memory|insufficient system resources|not enough memory|内存不足|显存不足/i,
  ],
  [
    'balance',
    /insufficient[_ ](balance|quota|credit|fund)|exceeded_current_quota|billing|arrearage|overdue|in good standing/i,
  ],
  [
    'balance',
    /credit balance|(any|available) credits|key limit exceeded|API usage limits|free ?tier .{0,30}(exhausted|only)|FreeTierOnly/i,
  ],
  ['balance', /余额不足|欠费|充值|额度(已)?(用完|不足)|"?code"?\s*:?\s*"?(1113|1309)\b/i],
  [
    'key',
    /(invalid|incorrect|wrong|missing|expired|\bno\b).{0,16}api.?key|api.?key.{0,24}(invalid|not valid|incorrect|expired)/i,
  ],
  [
    'key',
    /authenticat|unregistered callers|"?code"?\s*:?\s*"?100[0-4]\b|(令牌|密钥|身份验证).{0,8}(不正确|无效|失败|过期|错误)/i,
  ],
  [
    'forbidden',
    /location is not supported|unsupported_country|not activated|ModelNotOpen|permission_(error|denied)|AccessDenied/i,
  ],
  [
    'filtered',
    /content[_ ]?(filter|policy|management)|data_?inspection_?failed|content exists risk|considered high risk|moderation/i,
  ],
  [
    'filtered',
    /unsafe|SensitiveContent|sensitive (content|words?|information)|PROHIBITED_CONTENT|blockReason|敏感|违规|不安全/i,
  ],
  [
    'notFound',
    /model.{0,60}(not[ _](found|exist)|does(n't| not) exist|unknown|not a valid)|unknown model|no such model|Model Not Exist/i,
  ],
  [
    'notFound',
    /not found the model|not a valid model|model_not_found|no endpoints found|no models? loaded|InvalidEndpointOrModel/i,
  ],
  ['notFound', /模型.{0,8}不存在|"?code"?\s*:?\s*"?1211\b|not_found_error.{0,40}model:/i],
  [
    'wrongPath',
    /unexpected endpoint|invalid url|no such path|url.not_found|requested resource was not found|page not found/i,
  ],
  ['scheme', /plain HTTP request was sent to HTTPS|HTTP request to an HTTPS server/i],
  [
    'overloaded',
    /overloaded|server is busy|capacity|try again later|temporarily unavailable|UNAVAILABLE|繁忙|稍后(再|重)试/i,
  ],
];

// Language data: messages of providers about limits of a day or a plan, against which waiting some seconds does not help.
const LONG_LIMIT =
  /per[ _-]?day|PerDay|\b(RPD|TPD)\b|daily|free-models-per-day|每日|每天|usage limit|使用上限|"?code"?\s*:?\s*"?130[48]\b/i;

/** Returns the problem that a provider's text describes; null when no pattern matches. */
export function toSpokenProblem(said: string): ModelProblem | null {
  return SPOKEN.find(([, pattern]) => pattern.test(said))?.[0] ?? null;
}

/** True for a limit that does not end within a minute. */
export function isLongLimit(said: string): boolean {
  return LONG_LIMIT.test(said);
}

const STATUS: ReadonlyMap<number, ModelProblem> = new Map([
  [401, 'key'],
  [402, 'balance'],
  [403, 'forbidden'],
  [404, 'wrongPath'],
  [405, 'wrongPath'],
  [408, 'timeout'],
  [413, 'tooLong'],
  [429, 'rate'],
  [504, 'timeout'],
]);

/**
 * Returns the problem of a refused request. A status that has one meaning only decides before the text; otherwise the text does,
 * because providers use 400, 403 and 429 for many things.
 */
export function toRefusal(status: number | undefined, said: string): ModelProblem {
  if (status === 402) return 'balance';
  const spoken = toSpokenProblem(said);
  if (status === 401 && spoken !== 'balance' && spoken !== 'forbidden') return 'key';
  if (status === 429 && spoken === 'key') return 'rate';
  if (spoken !== null) return spoken;
  const known = status === undefined ? undefined : STATUS.get(status);
  if (known) return known;
  return status !== undefined && status >= 500 ? 'overloaded' : 'refused';
}

/** Reasons for the end of an answer that providers send besides the standard ones. */
const ENDS: ReadonlyMap<string, ModelProblem | 'stop'> = new Map<string, ModelProblem | 'stop'>([
  ['eos', 'stop'],
  ['end', 'stop'],
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['complete', 'stop'],
  ['completed', 'stop'],
  ['finished', 'stop'],
  ['model_context_window_exceeded', 'tooLong'],
  ['sensitive', 'filtered'],
  ['safety', 'filtered'],
  ['refusal', 'filtered'],
  ['recitation', 'filtered'],
  ['blocklist', 'filtered'],
  ['prohibited_content', 'filtered'],
  ['spii', 'filtered'],
  ['insufficient_system_resource', 'overloaded'],
  ['network_error', 'cutOff'],
  ['abort', 'cutOff'],
  ['aborted', 'cutOff'],
  ['malformed_function_call', 'badAnswer'],
  ['unexpected_tool_call', 'badAnswer'],
]);

/** Returns what a provider's own reason for the end of an answer means; null when it is not known. */
export function toEndProblem(raw: string): ModelProblem | 'stop' | null {
  return ENDS.get(raw.toLowerCase()) ?? null;
}
