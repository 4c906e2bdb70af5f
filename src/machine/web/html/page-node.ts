/** The part of an element that the rules use. */
export interface PageNode {
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
export interface PageRule {
  readonly filter: (node: PageNode) => boolean
  readonly replacement: (content: string, node: PageNode) => string
}

/** Returns a rule for elements of these names. */
export const ruleFor = (names: string, replacement: PageRule['replacement']): PageRule => {
  const nodeNames = new Set(names.toUpperCase().split(' '))
  return { filter: node => nodeNames.has(node.nodeName.toUpperCase()), replacement }
}
