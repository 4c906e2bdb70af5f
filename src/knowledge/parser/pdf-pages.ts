import { ToolError } from '../../kernel/error.ts'
import { askParser, wordsForUnparsed } from './ask-parser.ts'

/** Texts of some pages of a PDF, in order. */
export interface PdfPages {
  /** Number of pages in the file. */
  readonly pages: number
  readonly texts: readonly string[]
}

const LARGEST = 64 * 1024 * 1024

interface File {
  readonly path: string
  readonly size: number
  read(offset: number, length: number): Buffer
}

/** Reads pages of a PDF in another process, because a file may be crafted to break its reader. */
export async function pdfPages(file: File, { from, to }: PageRange): Promise<PdfPages> {
  const { path, size } = file
  if (size > LARGEST) throw unreadable(path, `it has ${size} bytes, at most ${LARGEST} are read`)
  const reply = await askParser({ job: 'pdf', path, content: file.read(0, size), at: [from, to] })
  if ('failed' in reply) throw unreadable(path, wordsForUnparsed(reply.failed))
  const { value } = reply
  if (isRefused(value)) throw unreadable(path, value.refused)
  return value as PdfPages
}

export interface PageRange {
  readonly from: number
  /** Inclusive; may be past the last page. */
  readonly to: number
}

/** The PDF reader's message for a file that it cannot read, such as one with a password. */
export interface RefusedPdf {
  readonly refused: string
}

const isRefused = (value: unknown): value is RefusedPdf => typeof Object(value).refused === 'string'

const unreadable = (path: string, why: string): ToolError =>
  new ToolError('binary', `${path} is a PDF that cannot be read: ${why}`, {
    hint: 'Open it with a program for PDFs, or convert it to text.',
    details: { path },
  })
