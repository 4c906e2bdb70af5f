import { setImmediate } from 'node:timers/promises'
import { decodeEntities } from './entities.ts'
import { absolute, closeElement, openElement, startPage, type Page } from './elements.ts'
import { htmlTokens, type Token } from './tokens.ts'

export interface Readable {
  readonly content: string
  readonly title?: string
}

const AT_ONCE = 5_000
/** A main part shorter than this is a frame that scripts fill, not the text. */
const SHORTEST_MAIN = 200

/** HTML as Markdown that a person or a model can read: the main part where the page names one, with links made absolute. */
export async function htmlToMarkdown(html: string, url: string): Promise<Readable> {
  const page = startPage(url)
  let count = 0
  for (const token of htmlTokens(html)) {
    take(page, token)
    // A page of nothing but tags is let to hold up nobody else.
    if (++count % AT_ONCE === 0) await setImmediate()
  }
  const content = page.writer.finish()
  const main = page.main && content.slice(page.main.from, page.main.to ?? content.length).trim()
  const title = page.title.replace(/\s+/g, ' ').trim()
  return {
    content: main !== undefined && main.length >= SHORTEST_MAIN ? main : content,
    ...(title !== '' && { title }),
  }
}

/** What a reader does not see, or what is not the page's own text. */
const DROPPED = new Set(
  'script style noscript template svg math iframe object embed canvas audio video map select button dialog nav footer'.split(
    ' ',
  ),
)
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))

function take(page: Page, token: Token): void {
  if (token.kind === 'text') return takeText(page, token.text, token.raw)
  const { name } = token
  if (name === 'title') {
    // A picture may have a title too; the page's is the first.
    page.inTitle = token.kind === 'open' && page.title === ''
    return
  }
  if (page.dropped) {
    if (name !== page.dropped.name) return
    page.dropped.depth += token.kind === 'open' ? 1 : -1
    if (page.dropped.depth === 0) page.dropped = undefined
    return
  }
  if (token.kind === 'close') return closeElement(page, name)
  if (name === 'base') page.base = absolute(token.attributes.get('href'), page.base) ?? page.base
  if (!isDropped(name, token.attributes)) return openElement(page, name, token.attributes)
  if (!VOID.has(name)) page.dropped = { name, depth: 1 }
}

function takeText(page: Page, text: string, raw: boolean): void {
  if (page.inTitle) page.title += decodeEntities(text)
  else if (page.dropped || raw) return
  else if (page.pre !== undefined) page.pre += decodeEntities(text)
  else page.writer.text(decodeEntities(text))
}

function isDropped(name: string, attributes: ReadonlyMap<string, string>): boolean {
  if (DROPPED.has(name) || attributes.has('hidden') || attributes.get('aria-hidden') === 'true') return true
  return /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes.get('style') ?? '')
}
