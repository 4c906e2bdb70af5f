import { onceLoaded } from '../../kernel/once.ts'
import type { IndexEngine } from '../../knowledge/index/types.ts'
import type { ReadOptions, TextRead } from '../../machine/text/read-text.ts'
import { defineTool, reads, z } from '../tool.ts'

const MOST_BYTES = 100 * 1024

/** No client accepts larger images. */
const LARGEST_IMAGE = 5 * 1024 * 1024

const ENCODINGS = ['utf-8', 'utf-16', 'latin-1', 'ascii'] as const

/** Bytes to read of each; PDFs are read elsewhere. */
const MEDIA = {
  'image/png': LARGEST_IMAGE,
  'image/jpeg': LARGEST_IMAGE,
  'image/gif': LARGEST_IMAGE,
  'image/webp': LARGEST_IMAGE,
  'application/pdf': 0,
  'application/x-ipynb+json': 32 * 1024 * 1024,
}

const within = onceLoaded(() => import('./read-within.ts'))

export const read = defineTool({
  name: 'read',
  version: '1.4.0',
  description:
    'Read a text file, or lines `from` to `to` of it (1-based, inclusive; pages of a PDF, cells of a notebook). Shows images. ' +
    'Returns the hash that `write` and `edit` accept as `expect`.',
  input: () =>
    z.strictObject({
      path: z.string().describe('Path relative to the workspace, or ref:ID for the full text of a cut answer'),
      from: z.int().positive().optional().describe('First line, 1-based'),
      to: z.int().positive().optional().describe('Last line, inclusive'),
      skip: z
        .int()
        .nonnegative()
        .optional()
        .describe('Bytes of the first line to skip, from `next` of the last answer'),
      encoding: z.enum(ENCODINGS).optional().describe('Default: detected. Reads any file as text'),
    }),
  output: () =>
    z.strictObject({
      path: z.string(),
      content: z.string(),
      from: z.int(),
      to: z.int(),
      totalLines: z.int(),
      bytes: z.int(),
      hash: z.string(),
      encoding: z.string(),
      eol: z.enum(['lf', 'crlf', 'mixed', 'none']),
      truncated: z.boolean(),
      next: z.strictObject({ from: z.int(), skip: z.int().optional() }).optional(),
      media: z
        .strictObject({
          type: z.string(),
          width: z.int().optional(),
          height: z.int().optional(),
          pages: z.int().optional(),
          cells: z.int().optional(),
          note: z.string().optional().describe('How it is shown, and how it can be edited'),
          data: z.string().optional().describe('An image in base64, up to 5 MB; MCP returns it as an image instead'),
        })
        .optional()
        .describe(
          'For an image, a PDF or a notebook: `content` describes it or holds its text, and lines are pages or cells',
        ),
      exports: z
        .array(z.string())
        .optional()
        .describe('Names that other files can import, if an index is open and the whole file was read'),
      symbol: z.string().optional().describe('The symbol around the requested lines, if an index is open'),
    }),
  trusted: true,
  effects: ['read'],
  claims: ({ path }) => reads(path),
  abridge: answer => (answer.media?.data === undefined ? answer : withoutData(answer)),
  run({ path, from, to, skip, encoding }, { text, index }, { room }) {
    const options = {
      truncateAt: MOST_BYTES,
      wholeLines: true,
      ...((from !== undefined || to !== undefined) && {
        lines: { ...(from !== undefined && { from }), ...(to !== undefined && { to }) },
      }),
      ...(skip !== undefined && { skip }),
      encodings: ENCODINGS,
      ...(encoding && { encoding }),
    }
    const asText = (file: TextRead) => {
      const isPart = from !== undefined || to !== undefined || file.truncated
      // Parsing costs a one-shot call more than reading: only an open index adds more.
      return indexFacts(file, isPart, index)?.then(more => ({ ...answerOf(file), ...more })) ?? answerOf(file)
    }
    const readPart = (more: ReadOptions = {}) => text.read(path, { ...options, media: MEDIA, ...more })
    const answerFrom = (file: TextRead) => {
      const { media } = file
      if (!media) return asText(file)
      return import('./read-media.ts').then(async ({ mediaAnswer }) => {
        const answer = await mediaAnswer(file, media, { from, to }, text)
        return answer ? { ...answerOf(file), ...answer } : answerOf(text.read(path, options))
      })
    }
    if (!room) return answerFrom(readPart())
    const first = readPart({ truncateAt: room.most })
    if (first.media) return answerFrom(first)
    const size = first.truncated ? undefined : room.sizeOf(answerOf(first))
    // Most reads fit, and a call that waits for nothing costs no timer.
    if (typeof size === 'number' && size <= room.most) return answerFrom(first)
    return within().then(async ({ readWithin }) =>
      answerFrom(await readWithin({ first, size }, readPart, room, answerOf)),
    )
  },
  examples: [
    { input: { path: 'src/hello.ts' }, files: { 'src/hello.ts': 'export const hello = 1\n' } },
    { input: { path: 'src/hello.ts', from: 2, to: 3 }, files: { 'src/hello.ts': 'one\ntwo\nthree\nfour\n' } },
    { input: { path: 'src/data.txt', from: 1, skip: 4 }, files: { 'src/data.txt': 'one two\n' } },
  ],
})

const answerOf = (file: TextRead) => ({
  path: file.path,
  content: file.content,
  from: file.from,
  to: file.to,
  totalLines: file.totalLines,
  bytes: file.bytes,
  hash: file.hash,
  encoding: file.encoding,
  eol: file.eol,
  truncated: file.truncated,
  ...(file.next && { next: file.next }),
})

function withoutData<T extends { readonly media?: { readonly data?: string | undefined } | undefined }>(answer: T): T {
  const { data: _, ...media } = answer.media ?? {}
  return { ...answer, media }
}

/** Returns what an open index adds: the symbol around a part, the exports of a whole file. */
function indexFacts(
  { path, from, to }: Pick<TextRead, 'path' | 'from' | 'to'>,
  isPart: boolean,
  index: IndexEngine,
): Promise<{ readonly symbol?: string; readonly exports?: string[] }> | undefined {
  if (isPart) return index.around([{ path, from, to }]).then(([symbol]) => (symbol === undefined ? {} : { symbol }))
  return index.known(path)?.then(facts => (facts && facts.exports.length > 0 ? { exports: [...facts.exports] } : {}))
}
