import { defineTool, nets, z } from '../tool.ts'
import { answer } from './answer.ts'
import { MB } from './fields.ts'

export const fetchWebpage = defineTool({
  name: 'fetch_webpage',
  version: '1.0.0',
  description: 'Fetch content from a web page',
  input: () =>
    z.strictObject({
      url: z.string().describe('URL to fetch (must be http or https)'),
      timeout_seconds: z.int().min(1).max(60).default(10).describe('Request timeout (default: 10)'),
    }),
  output: () =>
    z.strictObject({
      ...answer,
      metadata: z.strictObject({
        url: z.string(),
        status_code: z.int(),
        content_length: z.int(),
        content_type: z.string(),
      }),
    }),
  effects: ['net'],
  timeoutMs: 65_000,
  claims: ({ url }) => nets(url),
  async run({ url, timeout_seconds }, { web }, { signal }) {
    const page = await web.fetch({ url, timeoutMs: timeout_seconds * 1000, maxBytes: MB }, signal)
    // The document prints this as an error, but returns the part that was read.
    const cut = page.truncated ? 'Error: Response too large (>1MB), truncating\n' : ''
    return {
      output: `Fetched content from ${url} (${kilobytes(page.bytes)})\n${cut}${page.content}`,
      files: [],
      metadata: {
        // The given address, unless a redirect led to another.
        url: page.url === new URL(url).href ? url : page.url,
        status_code: page.status,
        content_length: page.announcedBytes ?? page.bytes,
        content_type: page.contentType,
      },
    }
  },
  examples: [
    {
      input: { url: 'https://example.com/' },
      web: { 'https://example.com/': '<title>Example</title><p>An example page.</p>' },
    },
  ],
})

/** Formats a size as the document does: `5.2 KB`. A few bytes are never shown as 0. */
const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(bytes > 0 && bytes < 52 ? 3 : 1)} KB`
