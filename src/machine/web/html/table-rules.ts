import { ruleFor, type PageNode, type PageRule } from './page-node.ts'

/** Tables as rows of bars. A table that contains another one is page layout, and its cells are paragraphs. */
export const TABLE_RULES: readonly PageRule[] = [
  ruleFor('td th', cell),
  ruleFor('tr', row),
  ruleFor('table', content => `\n\n${content.trim()}\n\n`),
  ruleFor('thead tbody tfoot', content => content),
  ruleFor('caption', content => `\n\n${content.trim()}\n\n`),
]

/** One cell; an empty one keeps its place. */
export function cell(content: string, node: PageNode): string {
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
