import { common, createLowlight } from 'lowlight'
import type { Token } from './syntax.ts'

const lowlight = createLowlight(common)

/** The few kinds of words that get a colour. */
const KINDS: Readonly<Record<string, string>> = {
  'hljs-keyword': 'keyword',
  'hljs-built_in': 'keyword',
  'hljs-literal': 'number',
  'hljs-number': 'number',
  'hljs-string': 'string',
  'hljs-regexp': 'string',
  'hljs-comment': 'comment',
  'hljs-title': 'name',
  'hljs-type': 'name',
  'hljs-attr': 'name',
  'hljs-attribute': 'name',
  'hljs-name': 'keyword',
  'hljs-selector-class': 'name',
  'hljs-section': 'keyword',
  'hljs-meta': 'comment',
  'hljs-symbol': 'number',
  'hljs-variable': 'name',
}

interface Node {
  readonly type: string
  readonly value?: string
  readonly properties?: { readonly className?: unknown }
  readonly children?: readonly Node[]
}

/** Returns the tokens of each line of a text. */
export function highlight(text: string, language: string): readonly (readonly Token[])[] {
  const lines: Token[][] = [[]]
  const visit = (node: Node, kind: string | undefined): void => {
    if (node.type === 'text') {
      for (const [at, part] of (node.value ?? '').split('\n').entries()) {
        if (at > 0) lines.push([])
        if (part !== '') lines.at(-1)?.push({ text: part, kind })
      }
      return
    }
    const names = node.properties?.className
    const own = Array.isArray(names) ? names.map(name => KINDS[String(name)]).find(Boolean) : undefined
    for (const child of node.children ?? []) visit(child, own ?? kind)
  }
  visit(lowlight.highlight(language, text), undefined)
  return lines
}
