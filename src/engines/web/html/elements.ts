import { decodeEntities } from './entities.ts'
import { createMarkdownWriter, type MarkdownWriter } from './markdown-writer.ts'

/** Where the reading of a page stands. */
export interface Page {
  readonly writer: MarkdownWriter
  readonly lists: { readonly ordered: boolean; count: number; inItem: boolean }[]
  readonly links: Link[]
  /** Where the last mark was opened. */
  marked: number
  base: string
  title: string
  inTitle: boolean
  /** The element whose content is left out, and how many of its name are open. */
  dropped: { readonly name: string; depth: number } | undefined
  /** Preformatted text so far. */
  pre: string | undefined
  table: { cells: string[] | undefined; rows: number } | undefined
  /** Where the main part begins and ends in what is written. */
  main: { readonly from: number; to?: number } | undefined
}

interface Link {
  readonly href: string
  /** The paragraph in which it began, and where. */
  readonly written: number
  readonly at: number
}

type Attributes = ReadonlyMap<string, string>

export const startPage = (base: string): Page => ({
  writer: createMarkdownWriter(),
  lists: [],
  links: [],
  marked: -1,
  base,
  title: '',
  inTitle: false,
  dropped: undefined,
  pre: undefined,
  table: undefined,
  main: undefined,
})

const BLOCKS = new Set(
  'address article aside body center details dd div dl dt fieldset figcaption figure form h1 h2 h3 h4 h5 h6 header hgroup html main p section summary'.split(
    ' ',
  ),
)
const MARKS: ReadonlyMap<string, string> = new Map([
  ['b', '**'],
  ['strong', '**'],
  ['em', '*'],
  ['i', '*'],
  ['del', '~~'],
  ['s', '~~'],
  ['code', '`'],
])

/** What a start tag adds. */
export function openElement(page: Page, name: string, attributes: Attributes): void {
  const { writer } = page
  if (page.pre !== undefined) return name === 'br' ? void (page.pre += '\n') : undefined
  if (name === 'main' || attributes.get('role') === 'main') {
    writer.block()
    page.main ??= { from: writer.length }
  }
  const mark = MARKS.get(name)
  if (mark !== undefined) return openMark(page, mark)
  // Inside a row everything is one line.
  if (page.table?.cells && (BLOCKS.has(name) || name === 'br' || name === 'li')) return writer.text(' ')
  if (BLOCKS.has(name)) return writer.block(/^h[1-6]$/.test(name) ? `${'#'.repeat(Number(name[1]))} ` : '')
  OPENINGS.get(name)?.(page, attributes)
}

/** What an end tag adds. */
export function closeElement(page: Page, name: string): void {
  const { writer } = page
  if (page.pre !== undefined && name !== 'pre') return
  if (name === 'main' && page.main) {
    writer.block()
    page.main.to ??= writer.length
  }
  const mark = MARKS.get(name)
  if (mark !== undefined) return closeMark(page, mark)
  if (page.table?.cells && BLOCKS.has(name)) return writer.text(' ')
  if (BLOCKS.has(name)) return writer.block()
  CLOSINGS.get(name)?.(page)
}

/** An address of the web, made whole; undefined for what is none, such as javascript. */
export function absolute(href: string | undefined, base: string): string | undefined {
  const url = href === undefined ? null : URL.parse(decodeEntities(href.trim()), base)
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : undefined
}

const OPENINGS: ReadonlyMap<string, (page: Page, attributes: Attributes) => void> = new Map([
  ['br', ({ writer }: Page) => writer.mark('\n')],
  ['hr', ({ writer }: Page) => writer.lines('---')],
  ['ul', (page: Page) => openList(page, false)],
  ['ol', (page: Page) => openList(page, true)],
  ['li', openItem],
  ['blockquote', ({ writer }: Page) => writer.enter('> ')],
  ['pre', openPre],
  ['a', openLink],
  ['img', image],
  ['table', openTable],
  ['tr', (page: Page) => page.table && startRow(page, page.table)],
  ['td', endCell],
  ['th', endCell],
])

const CLOSINGS: ReadonlyMap<string, (page: Page) => void> = new Map([
  ['ul', closeList],
  ['ol', closeList],
  ['li', closeItem],
  ['blockquote', ({ writer }: Page) => writer.leave()],
  ['pre', closePre],
  ['a', closeLink],
  ['tr', endRow],
  ['table', closeTable],
])

function openMark(page: Page, mark: string): void {
  page.writer.mark(mark)
  page.marked = page.writer.length + page.writer.inline.length
}

/** A mark around nothing says nothing. */
function closeMark({ writer, marked }: Page, mark: string): void {
  const { inline, length } = writer
  if (marked === length + inline.length && inline.endsWith(mark)) writer.inline = inline.slice(0, -mark.length)
  else writer.mark(mark)
}

function openList(page: Page, ordered: boolean): void {
  page.writer.block()
  page.lists.push({ ordered, count: 0, inItem: false })
}

function closeList(page: Page): void {
  closeItem(page)
  page.writer.block()
  page.lists.pop()
}

/** An item ends where the next begins, so that a missing end tag costs nothing. */
function openItem(page: Page): void {
  const { writer, lists } = page
  closeItem(page)
  const list = lists.at(-1)
  if (!list) return writer.block('- ')
  list.count++
  list.inItem = true
  writer.enter(list.ordered ? `${list.count}. ` : '- ')
}

function closeItem({ writer, lists }: Page): void {
  const list = lists.at(-1)
  if (!list?.inItem) return writer.block()
  list.inItem = false
  writer.leave()
}

function openPre(page: Page): void {
  page.writer.block()
  page.pre = ''
}

function closePre(page: Page): void {
  const text = (page.pre ?? '').replace(/^\n|\s+$/g, '')
  page.pre = undefined
  const fence = '`'.repeat(Math.max(3, ...Array.from(text.matchAll(/`{3,}/g), ([ticks]) => ticks.length + 1)))
  if (text !== '') page.writer.lines(`${fence}\n${text}\n${fence}`)
}

function openLink(page: Page, attributes: Attributes): void {
  const { writer, links } = page
  const href = absolute(attributes.get('href'), page.base)
  const own = href === undefined || attributes.get('href')?.startsWith('#') ? '' : href
  links.push({ href: own, written: writer.length, at: writer.inline.length })
}

function closeLink({ writer, links }: Page): void {
  const link = links.pop()
  if (!link || link.href === '') return
  const { inline } = writer
  if (link.written !== writer.length) return writer.text(` <${link.href}>`)
  const words = inline.slice(link.at).trim()
  if (words === '') return
  const space = /^\s/.test(inline.slice(link.at)) ? ' ' : ''
  writer.inline = `${inline.slice(0, link.at)}${space}[${words}](${link.href})${/\s$/.test(inline) ? ' ' : ''}`
}

function image({ writer, base }: Page, attributes: Attributes): void {
  const alt = decodeEntities(attributes.get('alt') ?? '').trim()
  const source = absolute(attributes.get('src'), base)
  if (alt !== '' && source !== undefined) writer.mark(`![${alt}](${source})`)
}

/** A table in a cell lays out the page: its cells are paragraphs. */
function openTable(page: Page): void {
  if (page.table?.cells) endRow(page)
  page.writer.block()
  page.table = { cells: undefined, rows: 0 }
}

function startRow(page: Page, table: NonNullable<Page['table']>): void {
  endRow(page)
  page.writer.block()
  table.cells = []
}

/** The same with cells. */
function endCell({ writer, table }: Page): void {
  if (!table?.cells) return writer.block()
  const text = writer.inline.replace(/\s+/g, ' ').trim()
  table.cells.push(text)
  writer.inline = ''
}

function endRow(page: Page): void {
  const { table, writer } = page
  if (!table?.cells) return writer.block()
  endCell(page)
  const [, ...cells] = table.cells
  table.cells = undefined
  if (cells.every(cell => cell === '')) return
  const line = `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
  const isFirst = table.rows++ === 0
  if (isFirst) writer.lines(`${line}\n|${' --- |'.repeat(cells.length)}`)
  else writer.more(line)
}

function closeTable(page: Page): void {
  endRow(page)
  page.table = undefined
}
