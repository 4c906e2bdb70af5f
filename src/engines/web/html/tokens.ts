/** A piece of HTML: text with its entities still in it, or a tag. */
export type Token =
  | { readonly kind: 'text'; readonly text: string; readonly raw: boolean }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: 'close'; readonly name: string }

/** Elements whose content is text up to their own end tag, whatever it looks like. */
const RAW: ReadonlyMap<string, RegExp> = new Map(
  ['script', 'style', 'textarea', 'title', 'noscript', 'iframe', 'noembed', 'noframes', 'xmp'].map(name => [
    name,
    new RegExp(`</${name}`, 'gi'),
  ]),
)
const TAG = /<(\/?)([a-z][^\s/>]{0,60})/iy
const ATTRIBUTE = /[\s/]*([^\s/>=]{1,200})(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/y

/** Cuts HTML into tokens in one pass from left to right; comments and declarations are left out, and nothing is an error. */
export function* htmlTokens(html: string): Generator<Token> {
  let at = 0
  while (at < html.length) {
    const angle = html.indexOf('<', at)
    const end = angle === -1 ? html.length : angle
    if (end > at) yield { kind: 'text', text: html.slice(at, end), raw: false }
    if (angle === -1) return
    const skipped = skipDeclaration(html, angle)
    if (skipped !== undefined) {
      at = skipped
      continue
    }
    TAG.lastIndex = angle
    const [whole, slash, word = ''] = TAG.exec(html) ?? []
    if (whole === undefined) {
      yield { kind: 'text', text: '<', raw: false }
      at = angle + 1
      continue
    }
    const name = word.toLowerCase()
    const { attributes, next } = readAttributes(html, angle + whole.length)
    at = next
    if (slash === '/') {
      yield { kind: 'close', name }
      continue
    }
    yield { kind: 'open', name, attributes }
    const close = RAW.get(name)
    if (!close) continue
    close.lastIndex = at
    const stop = close.exec(html)?.index ?? html.length
    if (stop > at) yield { kind: 'text', text: html.slice(at, stop), raw: name !== 'title' && name !== 'textarea' }
    at = stop
  }
}

/** Where a comment, a declaration or a processing instruction ends; undefined where none begins. */
function skipDeclaration(html: string, at: number): number | undefined {
  if (html.startsWith('<!--', at)) return endOf(html, '-->', at + 4)
  return html.startsWith('<!', at) || html.startsWith('<?', at) ? endOf(html, '>', at + 2) : undefined
}

function endOf(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from)
  return found === -1 ? html.length : found + mark.length
}

function readAttributes(html: string, from: number): { attributes: ReadonlyMap<string, string>; next: number } {
  const attributes = new Map<string, string>()
  let at = from
  for (;;) {
    ATTRIBUTE.lastIndex = at
    const [whole, name = '', double, single, bare] = ATTRIBUTE.exec(html) ?? []
    if (whole === undefined) break
    at += whole.length
    const key = name.toLowerCase()
    if (!attributes.has(key)) attributes.set(key, double ?? single ?? bare ?? '')
  }
  return { attributes, next: endOf(html, '>', at) }
}
