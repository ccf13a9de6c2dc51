import { describe, expect, it } from 'vitest';
import { isLongLimit, toRefusal } from './problem-patterns.ts';
import { toRetryAfter } from './retry-after.ts';

/** Refusals as providers send them: provider, status, body. */
const REFUSALS: Record<string, readonly (readonly [string, number, string])[]> = {
  tooLong: [
    [
      'OpenAI',
      400,
      '{"error":{"message":"This model\'s maximum context length is 128000 tokens.","code":"context_length_exceeded"}}',
    ],
    [
      'OpenAI, larger than the limit of a minute',
      429,
      '{"error":{"message":"Request too large for gpt-5.4 on tokens per min (TPM): Limit 30000, Requested 45000.","code":"rate_limit_exceeded"}}',
    ],
    [
      'Anthropic',
      400,
      '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}',
    ],
    [
      'Anthropic with the output',
      400,
      '{"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000"}}',
    ],
    [
      'Anthropic, bytes',
      413,
      '{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}',
    ],
    [
      'Google',
      400,
      '{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}',
    ],
    [
      'DeepSeek',
      400,
      '{"error":{"message":"This model\'s maximum context length is 131072 tokens. However, you requested 150000 tokens","type":"invalid_request_error"}}',
    ],
    [
      'Qwen',
      400,
      '{"error":{"code":"invalid_parameter_error","message":"Range of input length should be [1, 30720]"}}',
    ],
    [
      'Kimi',
      400,
      '{"error":{"type":"invalid_request_error","message":"Invalid request: Your request exceeded model token limit: 262144"}}',
    ],
    ['GLM in Chinese', 400, '{"error":{"code":"1261","message":"Prompt 超长"}}'],
    ['GLM in English', 400, '{"error":{"code":"1261","message":"Prompt exceeds max length"}}'],
    ['GLM by its code alone', 400, '{"error":{"code":1261,"message":""}}'],
    [
      'Ark',
      400,
      '{"error":{"code":"InvalidParameter","message":"Input length 300000 exceeds the maximum length 229376"}}',
    ],
    [
      'Ark, messages',
      400,
      '{"error":{"code":"OversizeText","message":"Total tokens of image and text exceed max message tokens"}}',
    ],
    [
      'xAI',
      400,
      '{"code":"Client specified an invalid argument","error":"This model\'s maximum prompt length is 131072 but the request contains 262144 tokens."}',
    ],
    ['OpenRouter', 400, '{"error":{"code":400,"message":"This endpoint\'s maximum context length is 65536 tokens."}}'],
    [
      'llama.cpp',
      400,
      '{"error":{"code":400,"type":"exceed_context_size_error","message":"the request exceeds the available context size"}}',
    ],
    [
      'LM Studio',
      400,
      '{"error":"Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens"}',
    ],
    ['Ollama', 400, '{"error":{"message":"prompt too long; exceeded max context length by 400 tokens"}}'],
  ],
  balance: [
    [
      'OpenAI',
      429,
      '{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","code":"insufficient_quota"}}',
    ],
    [
      'Anthropic',
      400,
      '{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}',
    ],
    ['DeepSeek', 402, '{"error":{"message":"Insufficient Balance"}}'],
    [
      'Qwen',
      400,
      '{"error":{"code":"Arrearage","message":"Access denied, please make sure your account is in good standing."}}',
    ],
    [
      'Qwen, free tier',
      403,
      '{"error":{"code":"AllocationQuota.FreeTierOnly","message":"The free tier of the model has been exhausted."}}',
    ],
    [
      'Kimi',
      429,
      '{"error":{"type":"exceeded_current_quota_error","message":"Your account is suspended, please check your plan and billing details"}}',
    ],
    ['GLM', 429, '{"error":{"code":"1113","message":"您的账户已欠费，请充值后重试。"}}'],
    [
      'Ark',
      403,
      '{"error":{"code":"AccountOverdueError","message":"The request failed because your account has an overdue balance."}}',
    ],
    ['xAI', 403, '{"error":"Your team has either used all available credits or reached its monthly spending limit."}'],
    ['OpenRouter', 402, '{"error":{"code":402,"message":"Insufficient credits"}}'],
  ],
  rate: [
    [
      'OpenAI',
      429,
      '{"error":{"message":"Rate limit reached for gpt-5.4 on tokens per min (TPM): Limit 30000, Used 25000, Requested 8000. Please try again in 6s.","code":"rate_limit_exceeded"}}',
    ],
    [
      'Anthropic',
      429,
      '{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your organization\'s rate limit of 40,000 input tokens per minute"}}',
    ],
    [
      'Google, named a quota',
      429,
      '{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED","details":[{"quotaId":"GenerateRequestsPerMinutePerProjectPerModel-FreeTier"},{"retryDelay":"34s"}]}}',
    ],
    [
      'Qwen',
      429,
      '{"error":{"code":"Throttling.RateQuota","message":"Requests rate limit exceeded, please try again later."}}',
    ],
    [
      'Kimi',
      429,
      '{"error":{"type":"rate_limit_reached_error","message":"Your account request reached max organization concurrency: 1"}}',
    ],
    ['GLM', 429, '{"error":{"code":"1302","message":"您当前使用该API的并发数过高，请降低并发"}}'],
    ['an empty body', 429, ''],
  ],
  overloaded: [
    ['Anthropic', 529, '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'],
    [
      'Google',
      503,
      '{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}',
    ],
    [
      'Kimi with 429',
      429,
      '{"error":{"type":"engine_overloaded_error","message":"The engine is currently overloaded, please try again later"}}',
    ],
    ['a proxy page', 502, '<html><title>502 Bad Gateway</title></html>'],
    ['in Chinese', 400, '{"error":{"message":"服务器繁忙，请稍后再试"}}'],
  ],
  key: [
    ['OpenAI', 401, '{"error":{"message":"Incorrect API key provided: sk-x","code":"invalid_api_key"}}'],
    [
      'Google with 400',
      400,
      '{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}',
    ],
    [
      'xAI with 400',
      400,
      '{"code":"Client specified an invalid argument","error":"Incorrect API key provided: xai-1"}',
    ],
    ['GLM', 401, '{"error":{"code":"1002","message":"Authorization Token非法，请确认Authorization Token正确传递。"}}'],
    ['GLM in Chinese', 400, '{"error":{"code":"1000","message":"身份验证失败。"}}'],
  ],
  forbidden: [
    [
      'OpenAI',
      403,
      '{"error":{"code":"unsupported_country_region_territory","message":"Country, region, or territory not supported"}}',
    ],
    [
      'Google',
      400,
      '{"error":{"code":400,"message":"User location is not supported for the API use.","status":"FAILED_PRECONDITION"}}',
    ],
    ['Anthropic', 403, '{"type":"error","error":{"type":"permission_error","message":"Not allowed."}}'],
    [
      'Ark',
      404,
      '{"error":{"code":"ModelNotOpen","message":"Your account has not activated the model doubao. Please activate the model service"}}',
    ],
  ],
  filtered: [
    ['DeepSeek', 400, '{"error":{"message":"Content Exists Risk"}}'],
    [
      'Qwen',
      400,
      '{"error":{"code":"data_inspection_failed","message":"Input data may contain inappropriate content."}}',
    ],
    [
      'Kimi',
      400,
      '{"error":{"type":"content_filter","message":"The request was rejected because it was considered high risk"}}',
    ],
    ['GLM', 400, '{"error":{"code":"1301","message":"系统检测到输入或生成内容可能包含不安全或敏感内容"}}'],
    [
      'Ark',
      400,
      '{"error":{"code":"InputTextSensitiveContentDetected","message":"The request failed because the input text may contain sensitive information."}}',
    ],
    [
      'OpenRouter',
      403,
      '{"error":{"code":403,"message":"The model requires moderation on OpenInference. Your input was flagged"}}',
    ],
  ],
  notFound: [
    [
      'OpenAI',
      404,
      '{"error":{"message":"The model `gpt-9` does not exist or you do not have access to it.","code":"model_not_found"}}',
    ],
    ['Anthropic', 404, '{"type":"error","error":{"type":"not_found_error","message":"model: claude-9"}}'],
    [
      'Google',
      404,
      '{"error":{"code":404,"message":"models/gemini-9 is not found for API version v1beta","status":"NOT_FOUND"}}',
    ],
    ['DeepSeek', 400, '{"error":{"message":"Model Not Exist"}}'],
    [
      'Kimi',
      404,
      '{"error":{"type":"resource_not_found_error","message":"Not found the model kimi-9 or Permission denied"}}',
    ],
    ['GLM', 400, '{"error":{"code":"1211","message":"模型不存在，请检查模型代码。"}}'],
    [
      'Ark',
      404,
      '{"error":{"code":"InvalidEndpointOrModel.NotFound","message":"The model or endpoint x does not exist"}}',
    ],
    ['OpenRouter', 400, '{"error":{"code":400,"message":"foo/bar is not a valid model ID"}}'],
    ['Ollama', 404, '{"error":{"message":"model \\"x\\" not found, try pulling it first"}}'],
    ['LM Studio', 404, '{"error":{"message":"No models loaded. Please load a model in the developer page"}}'],
  ],
  wrongPath: [
    ['OpenAI', 404, '{"error":{"message":"Invalid URL (POST /v1/foo)","type":"invalid_request_error"}}'],
    ['Ollama', 404, '404 page not found'],
    ['Kimi', 404, '{"code":5,"error":"url.not_found","message":"The requested resource was not found: /v2"}'],
    ['a web server', 404, '<html><h1>Not Found</h1></html>'],
    ['a page that takes no POST', 405, ''],
  ],
  noTools: [
    ['Ollama', 400, '{"error":{"message":"registry.ollama.ai/library/gemma:latest does not support tools"}}'],
    ['OpenRouter', 404, '{"error":{"code":404,"message":"No endpoints found that support tool use."}}'],
    [
      'vLLM',
      400,
      '{"error":{"message":"\\"auto\\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set"}}',
    ],
    ['DeepSeek', 400, '{"error":{"message":"deepseek-reasoner does not support Function Calling"}}'],
    ['in Chinese', 400, '{"error":{"message":"该模型不支持工具调用"}}'],
  ],
  memory: [
    ['Ollama', 500, '{"error":{"message":"model requires more system memory (8.4 GiB) than is available (5.1 GiB)"}}'],
  ],
  scheme: [['nginx', 400, '<html><center>The plain HTTP request was sent to HTTPS port</center></html>']],
  refused: [['an unknown reason', 400, '{"error":{"message":"temperature must be 1"}}']],
  timeout: [['a gateway', 504, '']],
};

const CASES = Object.entries(REFUSALS).flatMap(([problem, refusals]) =>
  refusals.map(([provider, status, body]) => ({ problem, provider, status, body })),
);

describe('the problem of a refusal', () => {
  it.each(CASES)('is $problem: $provider', ({ problem, status, body }) => {
    expect(toRefusal(status, body)).toBe(problem);
  });
});

describe('limits that do not end soon', () => {
  it('are those of a day or a plan', () => {
    expect(isLongLimit('{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}')).toBe(true);
    expect(isLongLimit('Rate limit exceeded: free-models-per-day')).toBe(true);
    expect(isLongLimit('{"error":{"code":"1308","message":"已达到 5 小时的使用上限"}}')).toBe(true);
    expect(isLongLimit('Rate limit reached: requests per min')).toBe(false);
  });
});

describe('the time that a service asks to wait', () => {
  it('is read from the header, in seconds or as a date, and from the text', () => {
    const now = Date.parse('2026-11-23T12:00:00Z');
    expect(toRetryAfter({ 'retry-after-ms': '250', 'retry-after': '9' }, '')).toBe(250);
    expect(toRetryAfter({ 'retry-after': '7' }, '')).toBe(7000);
    expect(toRetryAfter({ 'retry-after': 'Mon, 23 Nov 2026 12:00:20 GMT' }, '', now)).toBe(20_000);
    expect(toRetryAfter({ 'retry-after': 'Mon, 23 Nov 2026 11:00:00 GMT' }, '', now)).toBe(0);
    expect(toRetryAfter({}, '"retryDelay": "34s"')).toBe(34_000);
    expect(toRetryAfter(undefined, 'Please try again in 20ms.')).toBe(20);
    expect(toRetryAfter({ 'retry-after': 'soon' }, 'Slow down.')).toBeNull();
  });
});
