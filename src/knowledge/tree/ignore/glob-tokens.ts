/** A piece of a glob as ripgrep reads it. Bytes are the characters U+0000..U+00FF of a string. */
export type GlobToken =
  | { readonly kind: 'literal'; readonly bytes: string }
  | { readonly kind: 'class'; readonly negated: boolean; readonly ranges: readonly (readonly [string, string])[] }
  | { readonly kind: 'any' }
  | { readonly kind: 'star' }
  | { readonly kind: 'prefix' }
  | { readonly kind: 'suffix' }
  | { readonly kind: 'middle' }
  | { readonly kind: 'either'; readonly branches: readonly (readonly GlobToken[])[] }

/** Returns the tokens of a glob, or undefined if ripgrep refuses it and so ignores its line. */
export function globTokens(glob: string): readonly GlobToken[] | undefined {
  const characters = [...glob]
  /** The whole glob first, then the branches of open braces. */
  const branches: GlobToken[][] = [[]]
  const open: number[] = []
  let at = 0
  let isUnclosed = false

  while (at < characters.length) {
    const before = characters[at - 1]
    const character = characters[at++] ?? ''
    if (character === '?') push({ kind: 'any' })
    else if (character === '*') star(before)
    else if (character === '[' && !isUnclosed) {
      if (!characterClass()) return undefined
    } else if (character === '{') {
      open.push(branches.length)
      branches.push([])
    } else if (character === '}') {
      const first = open.pop()
      if (first === undefined) return undefined
      push({ kind: 'either', branches: branches.splice(first) })
    } else if (character === ',' && open.length > 0) branches.push([])
    else if (character === '\\') {
      const escapedCharacter = characters[at++]
      if (escapedCharacter === undefined) return undefined
      literal(escapedCharacter)
    } else literal(character)
  }
  return open.length > 0 ? undefined : branches[0]

  function push(token: GlobToken): void {
    current().push(token)
  }

  function literal(character: string): void {
    push({ kind: 'literal', bytes: bytesOf(character) })
  }

  function current(): GlobToken[] {
    return branches.at(-1) ?? []
  }

  function star(before: string | undefined): void {
    if (characters[at] !== '*') return push({ kind: 'star' })
    at++
    const next = characters[at]
    if (current().length === 0) {
      if (next !== undefined && next !== '/') return stars()
      at++
      return push({ kind: 'prefix' })
    }
    if (before !== '/' && (branches.length <= 1 || (before !== ',' && before !== '{'))) return stars()
    const ends = next === undefined || ((next === ',' || next === '}') && branches.length >= 2)
    if (!ends && next !== '/') return stars()
    if (!ends) at++
    const last = current().pop()
    if (last?.kind === 'prefix' || last?.kind === 'suffix') push(last)
    else push({ kind: ends ? 'suffix' : 'middle' })
  }

  function stars(): void {
    push({ kind: 'star' })
    push({ kind: 'star' })
  }

  /** Returns false if a range runs backwards. An unclosed class is a literal bracket, and so are those after it. */
  function characterClass(): boolean {
    const start = at
    const ranges: [string, string][] = []
    const isNegated = characters[at] === '!' || characters[at] === '^'
    if (isNegated) at++
    let range = false
    for (let first = true; ; first = false) {
      const character = characters[at++]
      if (character === undefined) {
        at = start
        isUnclosed = true
        literal('[')
        return true
      }
      const last = ranges.at(-1)
      if (character === ']' && !first) break
      if (character === '-' && !first && !range) range = true
      else if (range && last !== undefined) {
        last[1] = character
        if ((character.codePointAt(0) ?? 0) < (last[0].codePointAt(0) ?? 0)) return false
        range = false
      } else ranges.push([character, character])
    }
    if (range) ranges.push(['-', '-'])
    push({ kind: 'class', negated: isNegated, ranges: ranges.map(([from, to]) => [bytesOf(from), bytesOf(to)]) })
    return true
  }
}

const bytesOf = (character: string): string => Buffer.from(character).toString('latin1')
