/** Finds files by the names in them, without parsing any. */
export interface FilesForNames {
  mentioning(name: string): readonly string[]
  /** Those that may declare it: too many rather than too few. */
  declaring(name: string): readonly string[]
}

const WORD = /^[\p{L}\p{N}_$`@]+$/u

export function filesForNames(texts: ReadonlyMap<string, string>): FilesForNames {
  const mentioning = remembered((name: string) => {
    if (!WORD.test(name)) return []
    const whole = new RegExp(`(?<![\\w$])${escaped(name)}(?![\\w$])`)
    return [...texts].flatMap(([path, text]) => (text.includes(name) && whole.test(text) ? [path] : []))
  })
  return {
    mentioning,
    declaring: remembered((name: string) => {
      const declares = declaration(name)
      return mentioning(name).filter(path => declares.test(texts.get(path) ?? ''))
    }),
  }
}

/** Behind a word that declares, before a type or value, or behind a type at the start of a line. */
const declaration = (name: string): RegExp => {
  const word = `(?<![\\w$])${escaped(name)}(?![\\w$])`
  const words =
    'class|interface|object|enum|struct|record|trait|protocol|extension|module|namespace|typealias|typedef|type|union|fun|func|fn|def|function|val|var|let|const|static|impl|mod|macro_rules!|define|using|alias|concept'
  return new RegExp(
    `\\b(?:${words})\\b[^\\n;{}]*?${word}|${word}\\s*[:=](?!=)|^[\\w\\s<>,.?:*&@()[\\]]*?[\\w>\\]*&]\\s+[*&]*(?:\\w+::)*${word}|[$@]${escaped(name)}\\b`,
    'm',
  )
}

const escaped = (name: string): string => name.replaceAll(/[$^.*+?()[\]{}|\\]/g, String.raw`\$&`)

function remembered<T>(find: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>()
  return name => {
    const before = known.get(name)
    if (before !== undefined) return before
    const value = find(name)
    known.set(name, value)
    return value
  }
}
