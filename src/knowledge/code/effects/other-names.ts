/** A name that stands for another from some place on. */
export interface OtherName {
  readonly name: string
  readonly of: string
}

/** The other names that a file gives in its imports and exports, or by a macro. */
export function otherNames(family: 'script' | 'python' | 'c', text: string): readonly OtherName[] {
  switch (family) {
    case 'script':
      return [...text.matchAll(LISTED)].flatMap(([, names = '']) => renamed(names))
    case 'python':
      return [...text.matchAll(FROM)].flatMap(([, bracketed, plain]) => renamed(bracketed ?? plain ?? ''))
    case 'c':
      return [...text.matchAll(DEFINED)].flatMap(([, name = '', body = '']) =>
        Array.from(body.matchAll(CALLED), ([, of = '']) => ({ name, of })),
      )
  }
}

const LISTED = /\b(?:import|export)\b[^{}()=;'"]*\{([^{}]*\bas\b[^{}]*)\}/g
const FROM = /^[ \t]*from[ \t]+[.\w]+[ \t]+import[ \t]+(?:\(([^)]*)\)|([^\n#(]*))/gm
const DEFINED = /^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\([^)]*\))?[ \t]+((?:[^\n\\]|\\[^])*)/gm
const CALLED = /(\w+)\s*(?:\(|$)/g

const renamed = (names: string): readonly OtherName[] =>
  Array.from(names.matchAll(/([\w$]+)\s+as\s+([\w$]+)/g), ([, of = '', name = '']) => ({ name, of })).filter(
    ({ name, of }) => name !== of,
  )

/** By other name those of the names that it stands for in the end, over however many files. */
export function namesFor(names: ReadonlySet<string>, others: readonly OtherName[]): ReadonlyMap<string, string> {
  const known = new Map<string, string>()
  const byOf = Map.groupBy(others, ({ of }) => of)
  const open = [...names].map(name => ({ name, of: name }))
  for (let next = open.pop(); next; next = open.pop())
    for (const { name } of byOf.get(next.name) ?? []) {
      if (known.has(name) || names.has(name)) continue
      known.set(name, next.of)
      open.push({ name, of: next.of })
    }
  return known
}
