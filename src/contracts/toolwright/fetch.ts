import { defineTool, nets, z } from '../tool.ts'

export const fetch = defineTool({
  name: 'fetch',
  version: '1.0.0',
  description:
    'Fetch a web page: HTML as Markdown, other text unchanged. Only allowed public hosts, also after a redirect. ' +
    'A status such as 404 is a result, not an error.',
  input: () =>
    z.strictObject({
      url: z.string().describe('Absolute, without secrets'),
      method: z.enum(['GET', 'HEAD']).optional().describe('Default GET'),
      headers: z.record(z.string(), z.string()).optional().describe('For the first origin only; secrets as $ENV.NAME'),
      timeoutMs: z.int().min(1).max(120_000).optional().describe('Default 20 s'),
      as: z.enum(['text', 'raw']).optional().describe('raw: the body unchanged, base64 if not text'),
      maxBytes: z.int().min(1).max(10_485_760).optional().describe('Longest body; default 1 MiB'),
    }),
  output: () =>
    z.strictObject({
      url: z.string(),
      status: z.int(),
      contentType: z.string(),
      bytes: z.int(),
      truncated: z.boolean(),
      content: z.string(),
      title: z.string().optional(),
      encoding: z.string().optional(),
      warnings: z.array(z.string()).optional(),
    }),
  effects: ['net'],
  timeoutMs: 125_000,
  claims: ({ url }) => nets(url),
  async run({ url, method, headers, timeoutMs, as, maxBytes }, { web }, { signal }) {
    const page = await web.fetch(
      {
        url,
        ...(method && { method }),
        ...(headers && { headers }),
        ...(timeoutMs !== undefined && { timeoutMs }),
        ...(as && { as }),
        ...(maxBytes !== undefined && { maxBytes }),
      },
      signal,
    )
    return {
      url: page.url,
      status: page.status,
      contentType: page.contentType,
      bytes: page.bytes,
      truncated: page.truncated,
      content: page.content,
      ...(page.title !== undefined && { title: page.title }),
      ...(page.encoding !== 'utf-8' && { encoding: page.encoding }),
      ...(page.warnings.length > 0 && { warnings: [...page.warnings] }),
    }
  },
  examples: [
    {
      input: { url: 'https://example.com/guide' },
      web: { 'https://example.com/guide': '<title>Guide</title><h1>Guide</h1><p>Read this first.</p>' },
    },
    {
      input: { url: 'https://example.com/data.json', as: 'raw' },
      web: { 'https://example.com/data.json': '{"ok":true}' },
    },
  ],
})
