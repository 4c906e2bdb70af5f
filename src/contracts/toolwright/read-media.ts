import type { Engines } from '../../engines/engines.ts'
import type { PageRange } from '../../knowledge/parser/pdf-pages.ts'
import type { ImageType } from '../../machine/text/encoding.ts'
import { imageSize } from '../../machine/text/image-size.ts'
import { notebookCells } from '../../machine/text/notebook.ts'
import type { TextRead } from '../../machine/text/read-text.ts'
import { ToolError } from '../tool.ts'

/** About the limit for a text file. */
const MOST_BYTES = 100 * 1024

type Media = NonNullable<TextRead['media']>
interface ReadInput {
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/**
 * Returns the answer of `read` for a file that people view instead of read, or undefined if it can only be read as
 * text.
 */
export async function mediaAnswer(
  { path, bytes }: Pick<TextRead, 'path' | 'bytes'>,
  media: Media,
  { from = 1, to = Infinity }: ReadInput,
  text: Pick<Engines['text'], 'pdfPages'>,
) {
  const { type } = media
  if (type === 'application/pdf') return pdfAnswer(path, { from, to }, text)
  return type === 'application/x-ipynb+json' ? notebookAnswer(media, { from, to }) : imageAnswer(type, media, bytes)
}

/** Returns a sentence that describes the image, and the image itself if it is not too large. */
function imageAnswer(type: ImageType, { bytes, head }: Media, size: number) {
  const dimensions = imageSize(type, bytes ?? head)
  const name = type.slice('image/'.length)
  const facts = [
    `${name === 'webp' ? 'WebP' : name.toUpperCase()} image`,
    ...(dimensions ? [`${dimensions.width} × ${dimensions.height}`] : []),
    `${size.toLocaleString('en')} bytes`,
    ...(bytes ? [] : ['too large to return']),
  ]
  return {
    content: facts.join(', '),
    media: { type, ...dimensions, ...(bytes && { data: bytes.toString('base64') }) },
  }
}

async function pdfAnswer(path: string, range: PageRange, text: Pick<Engines['text'], 'pdfPages'>) {
  const { pages, texts } = await text.pdfPages(path, range)
  const { from } = ensurePart(range, pages, 'page')
  const pageTexts = texts.map((each, at) => `--- page ${from + at} of ${pages} ---\n${each}`)
  return {
    ...answerOf(pageTexts, { ...range, total: pages }),
    media: {
      type: 'application/pdf',
      pages,
      note: 'Text of the pages, without pictures; ranges count pages.',
    },
  }
}

function notebookAnswer({ type, bytes }: Media, range: PageRange) {
  const cells = bytes && notebookCells(bytes.toString())
  if (!cells) return undefined
  const { from, to } = ensurePart(range, cells.length, 'cell')
  return {
    ...answerOf(cells.slice(from - 1, to), { ...range, total: cells.length }),
    media: {
      type,
      cells: cells.length,
      note:
        'By cell, not by line of the file; `from` and `to` are cells. ' +
        'To edit it, read its lines with `encoding` utf-8 and edit those.',
    },
  }
}

/** Returns as many parts as fit into an answer, at least one, and the number of the next. */
function answerOf(parts: readonly string[], { from, to, total }: PageRange & { readonly total: number }) {
  const answerParts: string[] = []
  let bytes = 0
  for (const part of parts) {
    bytes += Buffer.byteLength(part)
    if (answerParts.length > 0 && bytes > MOST_BYTES) break
    answerParts.push(part)
  }
  const last = from + answerParts.length - 1
  const isTruncated = last < Math.min(to, total)
  const content = answerParts.map(part => `${cut(part)}\n`).join('\n')
  return {
    content,
    from,
    to: last,
    totalLines: total,
    truncated: isTruncated,
    ...(isTruncated && { next: { from: last + 1 } }),
  }
}

function cut(part: string): string {
  if (part.length <= MOST_BYTES) return part
  return `${part.slice(0, MOST_BYTES).toWellFormed()}\n… ${part.length - MOST_BYTES} more characters`
}

function ensurePart(range: PageRange, total: number, what: 'page' | 'cell'): PageRange {
  const { from, to } = range
  if (from <= to && (from <= total || from === 1)) return range
  throw new ToolError(
    'out_of_range',
    `There is no ${what} ${from}${to === Infinity ? '' : ` to ${to}`}: it has ${total}`,
    {
      hint: `Ask for a ${what} between 1 and ${Math.max(total, 1)}, the first not after the last.`,
      details: { from, ...(to !== Infinity && { to }), total },
    },
  )
}
