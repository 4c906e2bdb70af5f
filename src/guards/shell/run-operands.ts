const FILE_OPTIONS =
  /^(?:-f|-r|-c|--(?:file|config|config-file|require|import|loader|rcfile|init-file|env-file|makefile|makefiles|script|project|experimental-loader))$/

/** Returns the values of options that name a file to run, such as `-f x`, `--config=x`. */
export function optionFiles(words: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => {
    const [, name = word, value = words[at + 1]] = /^(--[\w-]+)=(.*)$/.exec(word) ?? /^(-[fr])(.+)$/.exec(word) ?? []
    return FILE_OPTIONS.test(name) && value !== undefined ? [value] : []
  })
}

/**
 * Adds the files that an interpreter runs, and reports whether these are known. A file after an option may be the
 * option's value (`bash -o pipefail s.sh`), so the next one counts too.
 */
export function operandFiles(
  kind: 'source' | 'shell' | 'other',
  words: readonly string[],
  add: (path: string) => boolean,
): boolean {
  if (kind === 'other' && words.length > 0 && words.every(word => /^(--version|-[vV]|--help|-h)$/.test(word)))
    return true
  let isFound = false
  for (const [at, word] of words.entries()) {
    if (word.startsWith('-') && word !== '-') continue
    const option = at > 0 && words[at - 1]?.startsWith('-') ? words[at - 1] : undefined
    const forms = kind !== 'other' ? [word] : option === '-m' ? moduleForms(word) : fileForms(word)
    const isThere = forms.map(add).includes(true)
    isFound ||= isThere
    if (isThere && (option === undefined || option === '-m')) return true
  }
  return isFound || (kind === 'shell' && words.some(word => /^-[a-z]*c[a-z]*$/i.test(word)))
}

/** A module or a directory that is given without its ending or its entry; `unittest a.b` has dots for slashes. */
const fileForms = (word: string): readonly string[] => [
  word,
  ...['.js', '.cjs', '.mjs', '.ts', '/index.js', '/index.cjs', '/__main__.py', '/package.json'].map(end => word + end),
  `${word.replaceAll('.', '/')}.py`,
]

/** `-m a.b` of Python. */
function moduleForms(word: string): readonly string[] {
  const path = word.replaceAll('.', '/')
  return [`${path}.py`, `${path}/__main__.py`, `${path}/__init__.py`]
}
