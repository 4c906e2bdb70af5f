/** Returns the text of a page without its layout: every tag is a space, every block a line. */
export function plainText(html: string): string {
  const parts: string[] = []
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    parts.push(html.slice(at, open < 0 ? html.length : open))
    if (open < 0) break
    const [name = ''] = /^<\/?[a-z0-9]*/.exec(html.slice(open, open + 16).toLowerCase()) ?? []
    at = endOf(html, open, name)
    parts.push(BLOCKS.test(name) ? '\n' : ' ')
  }
  const text = parts.join('').replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, entity: string) => ENTITIES[entity] ?? '')
  const lines = text.split('\n').map(line => line.replace(/\s+/g, ' ').trim())
  return lines.filter(line => line !== '').join('\n')
}

const BLOCKS = /^<\/?(p|div|h[1-6]|li|ul|ol|tr|table|br|hr|pre|blockquote|section|article|main|header)$/
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" }

/** Returns the end of a tag, including the content of invisible ones. */
function endOf(html: string, open: number, name: string): number {
  const closer = name === '<script' ? '</script' : name === '<style' ? '</style' : undefined
  const from = html.startsWith('<!--', open) ? html.indexOf('-->', open) : closer ? indexOf(html, closer, open) : open
  const end = from < 0 ? -1 : html.indexOf('>', from)
  return end < 0 ? html.length : end + 1
}

function indexOf(html: string, closer: string, from: number): number {
  const pattern = new RegExp(closer, 'gi')
  pattern.lastIndex = from
  return pattern.exec(html)?.index ?? -1
}
