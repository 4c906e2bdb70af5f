import { z } from 'zod'
import { DOCUMENTATION_SOURCES, FRESH_MINUTES } from '../../kernel/documentation-sources.ts'

const address = z.string().min(1).max(1_000)
const secretName = z
  .string()
  .regex(/^\$ENV\.[A-Za-z_]\w{0,100}$/, 'a secret is named as $ENV.NAME and never written out')

const url = (usual: string) => address.optional().describe(`Its address. Default: ${usual}`)

/** Where documentation is searched. */
export const documentation = z
  .strictObject({
    sources: z
      .array(z.enum(DOCUMENTATION_SOURCES))
      .min(1)
      .optional()
      .describe(
        'Sources of a search that names none; all but installed need a permission for their host. Default: ["installed"]',
      ),
    cacheMinutes: z
      .number()
      .min(1)
      .max(100_000)
      .optional()
      .describe(`How long an answer of a source is used again. Default: ${FRESH_MINUTES}`),
    stackoverflow: z
      .strictObject({
        url: url('https://api.stackexchange.com'),
        site: z
          .string()
          .regex(/^[a-z0-9.-]{1,100}$/)
          .optional()
          .describe('A site of Stack Exchange. Default: stackoverflow'),
        key: secretName.optional().describe('The name of an application key, as $ENV.NAME, for a higher quota'),
      })
      .optional(),
    github: z
      .strictObject({
        url: url('https://api.github.com'),
        token: secretName.optional().describe('The name of a token, as $ENV.NAME, for a higher limit'),
      })
      .optional()
      .describe('Issues of GitHub'),
    mdn: z
      .strictObject({
        url: url('https://developer.mozilla.org'),
        locale: z
          .string()
          .regex(/^[A-Za-z-]{2,10}$/)
          .optional()
          .describe('Default: en-US'),
      })
      .optional(),
    devdocs: z
      .strictObject({
        url: url('https://devdocs.io'),
        documentsUrl: address
          .optional()
          .describe('The address of its documents. Default: that of url, else https://documents.devdocs.io'),
        docs: z
          .array(z.string().regex(/^[a-z0-9_][a-z0-9_.~-]{0,80}$/))
          .max(50)
          .optional()
          .describe(
            'Documentations such as node or django~5.2. Default: by languages and dependencies of the workspace',
          ),
      })
      .optional(),
    web: z
      .strictObject({
        engine: z.enum(['searxng', 'brave', 'tavily']),
        url: address.optional().describe('Its address; needed for SearXNG'),
        key: secretName.optional().describe('The name of its key, as $ENV.NAME'),
      })
      .optional()
      .describe('A general web search, as source web'),
  })
  .describe('Documentation search; only your own file can set it')
