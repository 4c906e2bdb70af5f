/**
 * The type in pyright's words on a name: `list[A]` of `(variable) xs: list[A]`, the result of a function, `type[A]` for
 * a class. Empty if there is none.
 */
export function hoveredType(hover: string): string {
  const head = hover.replace(/^```\w*\n/, '').split(/\n```|\n---|\n\n/)[0] ?? ''
  const [, className] = /^\(?(?:class|type)\)?\s+(?:\w+\s*=\s*)?(\w+)/.exec(head) ?? []
  if (className !== undefined) return `type[${className}]`
  const result = head.lastIndexOf('->')
  if (/^\((?:function|method)\)/.test(head) && result >= 0) return head.slice(result + 2).trim()
  return /^(?:\([\w ]+\)\s*)?[\w.]+:\s*([^]*)$/.exec(head)?.[1]?.trim() ?? ''
}

const partsOf = (type: string): readonly string[] => type.split(' | ').filter(each => each !== 'None')

/** Reports whether the hovered name is a function, whose type is that of its result. */
export const isHoveredFunction = (hover: string): boolean => /^(?:```\w*\n)?\((?:function|method)\)/.test(hover)

/** Reports whether a value of a type is a class, and no object of it; undefined if it may be both. */
export function isClassType(type: string): boolean | undefined {
  const parts = partsOf(type)
  const classes = parts.filter(each => /^[tT]ype\[/.test(each))
  if (classes.length === 0) return false
  return classes.length === parts.length ? true : undefined
}

/** Reports whether a value of a type is an object of one of these classes, and no container of them. */
export const isPlainType = (type: string, names: readonly string[]): boolean =>
  partsOf(type).every(each => names.includes(each.replace(/^Self@/, '')))

/** Reports whether a type says nothing of its values or of their elements: it is unknown, or a type variable. */
export const isOpenType = (type: string): boolean => type === '' || /\b(?:Any|Unknown|object)\b|(?<!\bSelf)@/.test(type)
