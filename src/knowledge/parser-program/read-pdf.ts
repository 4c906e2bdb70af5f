import { getDocumentProxy } from 'unpdf'
import type { PdfPages, RefusedPdf } from '../parser/pdf-pages.ts'

/** Enough for an answer; callers ask for later pages. */
const MOST_CHARACTERS = 120_000
/** Well before the process would be ended, which would return nothing. */
const LONGEST_MS = 3000
const ERRORS_ONLY = 0

/** Returns the text of pages `from` to `to`, or of those there is time for; at least one. */
export async function readPdf(
  bytes: Uint8Array,
  [from = 1, to = Infinity]: readonly number[],
): Promise<PdfPages | RefusedPdf> {
  const since = performance.now()
  try {
    // Loads nothing but the file: no fonts of the machine, no external tables.
    const file = await getDocumentProxy(Uint8Array.from(bytes), {
      verbosity: ERRORS_ONLY,
      useSystemFonts: false,
      disableFontFace: true,
    })
    const texts: string[] = []
    let length = 0
    for (let page = from; page <= Math.min(to, file.numPages); page++) {
      if (texts.length > 0 && (length > MOST_CHARACTERS || performance.now() - since > LONGEST_MS)) break
      const text = await pageText(file, page)
      texts.push(text)
      length += text.length
    }
    await file.loadingTask.destroy()
    return { pages: file.numPages, texts }
  } catch (error) {
    return { refused: saidBy(error) }
  }
}

type File = Awaited<ReturnType<typeof getDocumentProxy>>

/** A damaged page does not affect the others. */
async function pageText(file: File, number: number): Promise<string> {
  try {
    const page = await file.getPage(number)
    const { items } = await page.getTextContent()
    page.cleanup()
    const text = items.map(item => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('')
    return text.replaceAll(/[ \t]+\n/g, '\n').trimEnd()
  } catch (error) {
    return `[This page cannot be read: ${saidBy(error)}]`
  }
}

const saidBy = (error: unknown): string => (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
