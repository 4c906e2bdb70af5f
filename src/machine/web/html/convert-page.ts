import Turndown from 'turndown'
import type { Readable } from './html-to-markdown.ts'

/** The part of an element that the rules use. */
interface PageNode {
  readonly nodeName: string
  readonly className: string
  readonly textContent: string
  readonly parentNode: PageNode | null
  readonly children: ArrayLike<PageNode>
  readonly ownerDocument: { createTextNode(text: string): unknown }
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
  getElementsByTagName(name: string): ArrayLike<PageNode>
  replaceChild(fresh: unknown, old: PageNode): unknown
}

/** Replaces an element whose content is already Markdown. */
interface PageRule {
  readonly filter: (node: PageNode) => boolean
  readonly replacement: (content: string, node: PageNode) => string
}

/** Returns a rule for elements of these names. */
const ruleFor = (names: string, replacement: PageRule['replacement']): PageRule => {
  const nodeNames = new Set(names.toUpperCase().split(' '))
  return { filter: node => nodeNames.has(node.nodeName.toUpperCase()), replacement }
}

/** Tables as rows of bars. A table that contains another one is page layout, and its cells are paragraphs. */
const TABLE_RULES: readonly PageRule[] = [
  ruleFor('td th', cell),
  ruleFor('tr', row),
  ruleFor('table', content => `\n\n${content.trim()}\n\n`),
  ruleFor('thead tbody tfoot', content => content),
  ruleFor('caption', content => `\n\n${content.trim()}\n\n`),
]

/** One cell; an empty one keeps its place. */
function cell(content: string, node: PageNode): string {
  if (isLayout(tableOf(node))) return `\n\n${content.trim()}\n\n`
  return ` ${content.trim().replace(/\s+/g, ' ').replaceAll('|', '\\|')} |`
}

function row(content: string, node: PageNode): string {
  const table = tableOf(node)
  if (isLayout(table)) return content
  if (/^[\s|]*$/.test(content)) return ''
  const line = `|${content.replace(/\n/g, ' ').trimEnd()}\n`
  const isFirst = table?.getElementsByTagName('tr')[0] === node
  return isFirst ? `${line}|${' --- |'.repeat(node.children.length)}\n` : line
}

const isLayout = (table: PageNode | undefined): boolean => (table?.getElementsByTagName('table').length ?? 0) > 0

function tableOf(node: PageNode): PageNode | undefined {
  for (let at = node.parentNode; at; at = at.parentNode) if (at.nodeName === 'TABLE') return at
  return undefined
}

/** A shorter main part is a frame filled by scripts, not the text. */
const SHORTEST_MAIN = 200

/** Elements that a reader does not see, or that are not the page's own text. */
const DROPPED =
  'script style noscript template svg math iframe object embed canvas audio video map select button dialog nav footer'

/** Converts a page in this thread; it may take long. */
export function convertPage(html: string, url: string): Readable {
  const page: Page = { base: url, title: '', main: undefined }
  const service = new Turndown({
    headingStyle: 'atx',
    hr: '---',
    br: '',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
    blankReplacement,
  })
  // Readers understand marks in running text; escaping each makes names hard to read.
  service.escape = text => text
  for (const [at, rule] of rulesFor(page).entries()) service.addRule(`page-${at}`, rule)
  const content = tidy(service.turndown(html))
  const main = page.main === undefined ? '' : tidy(page.main)
  return {
    content: main.length >= SHORTEST_MAIN ? main : content,
    ...(page.title !== '' && { title: page.title }),
  }
}

interface Page {
  base: string
  title: string
  main: string | undefined
}

const tidy = (text: string): string =>
  text
    .replaceAll('\u00a0', ' ')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** Later rules take precedence. */
const rulesFor = (page: Page): readonly PageRule[] => [
  ...TABLE_RULES,
  ruleFor('li', item),
  ruleFor('pre', convertPreformatted),
  ruleFor('del s strike', content => `~~${content}~~`),
  ruleFor('img', (_, node) => image(node, page.base)),
  ruleFor('a', (content, node) => link(content, node, page.base)),
  {
    filter: node => node.nodeName === 'MAIN' || node.getAttribute('role') === 'main',
    replacement: content => {
      page.main ??= content
      return `\n\n${content}\n\n`
    },
  },
  ruleFor('base', (_, node) => {
    page.base = absolute(node.getAttribute('href'), page.base) ?? page.base
    return ''
  }),
  ruleFor('title', (_, node) => {
    // A picture may have a title too; the page's is the first.
    if (page.title === '' && node.parentNode?.nodeName.toLowerCase() !== 'svg')
      page.title = node.textContent.replace(/\s+/g, ' ').trim()
    return ''
  }),
  ruleFor(DROPPED, () => ''),
  { filter: isHidden, replacement: () => '' },
]

/** Handles empty elements; a table cell keeps its place. */
function blankReplacement(_: string, node: PageNode & { readonly isBlock?: boolean }): string {
  if (node.nodeName === 'TD' || node.nodeName === 'TH') return cell('', node)
  return node.isBlock ? '\n\n' : ''
}

const isHidden = (node: PageNode): boolean =>
  node.hasAttribute('hidden') ||
  node.getAttribute('aria-hidden') === 'true' ||
  /display\s*:\s*none|visibility\s*:\s*hidden/i.test(node.getAttribute('style') ?? '')

/** Returns an absolute web address, or undefined for any other such as javascript. */
function absolute(href: string | null, base: string): string | undefined {
  const url = href === null ? null : URL.parse(href.trim(), base)
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : undefined
}

function link(content: string, node: PageNode, base: string): string {
  const href = absolute(node.getAttribute('href'), base)
  const text = content.trim()
  if (href === undefined || text === '' || node.getAttribute('href')?.startsWith('#')) return content
  return content.includes('\n') ? `${content}\n\n<${href}>\n\n` : `[${text}](${href})`
}

function image(node: PageNode, base: string): string {
  const alt = (node.getAttribute('alt') ?? '').replace(/\s+/g, ' ').trim()
  const source = absolute(node.getAttribute('src'), base)
  return alt !== '' && source !== undefined ? `![${alt}](${source})` : ''
}

function item(content: string, node: PageNode): string {
  const list = node.parentNode
  const before = Array.from(list?.children ?? []).filter(one => one.nodeName === 'LI')
  const start = Number(list?.getAttribute('start') ?? 1) || 1
  const lead = list?.nodeName === 'OL' ? `${start + before.indexOf(node)}. ` : '- '
  return `${lead}${content.trim().replaceAll('\n', `\n${' '.repeat(lead.length)}`)}\n`
}

function convertPreformatted(_: string, node: PageNode): string {
  for (const br of Array.from(node.getElementsByTagName('br')))
    br.parentNode?.replaceChild(node.ownerDocument.createTextNode('\n'), br)
  const text = node.textContent.replace(/^\n|\s+$/g, '')
  if (text === '') return ''
  const classes = [node.className, ...Array.from(node.getElementsByTagName('code'), code => code.className)].join(' ')
  const [, language = ''] = /(?:^|\s)(?:language|lang|highlight-source)-([\w+#-]+)/.exec(classes) ?? []
  let ticks = 3
  for (const [inside] of text.matchAll(/`{3,}/g)) ticks = Math.max(ticks, inside.length + 1)
  const fence = '`'.repeat(ticks)
  return `\n\n${fence}${language}\n${text}\n${fence}\n\n`
}
