import { ToolError } from '../../kernel/error.ts'
import { askParser, wordsForUnparsed } from './ask-parser.ts'

/** The texts of some pages of a PDF, one after the other. */
export interface PdfPages {
  /** How many the file has. */
  readonly pages: number
  readonly texts: readonly string[]
}

const LARGEST = 64 * 1024 * 1024

interface File {
  readonly path: string
  readonly size: number
  read(offset: number, length: number): Buffer
}

/** Has the pages of a PDF read in a process of their own: the file may be made to break its reader. */
export async function pdfPages(file: File, { from, to }: PageRange): Promise<PdfPages> {
  const { path, size } = file
  if (size > LARGEST) throw unreadable(path, `it has ${size} bytes, at most ${LARGEST} are read`)
  const heard = await askParser({ job: 'pdf', path, content: file.read(0, size), at: [from, to] })
  if ('failed' in heard) throw unreadable(path, wordsForUnparsed(heard.failed))
  const { value } = heard
  if (isRefused(value)) throw unreadable(path, value.refused)
  return value as PdfPages
}

export interface PageRange {
  readonly from: number
  /** Inclusive; may lie behind the last page. */
  readonly to: number
}

/** What the reader of PDFs says of a file that it cannot read, such as one with a password. */
export interface RefusedPdf {
  readonly refused: string
}

const isRefused = (value: unknown): value is RefusedPdf => typeof Object(value).refused === 'string'

const unreadable = (path: string, why: string): ToolError =>
  new ToolError('binary', `${path} is a PDF that cannot be read: ${why}`, {
    hint: 'Open it with a program for PDFs, or convert it to text.',
    details: { path },
  })
