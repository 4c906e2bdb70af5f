import { fileConcern, globConcern, type Concern } from './concern.ts'
import { literalOf, type Word } from './script.ts'

/** Programs that run a file, with the options that only tell something. */
const INTERPRETERS: readonly (readonly [RegExp, RegExp])[] = [
  [/^node$/, /^(-v|--version|-h|--help)$/],
  [/^python[\d.]*$/, /^(-V|--version|-h|--help)$/],
  [/^perl$/, /^(-v|--version|-h)$/],
  [/^(ruby|php|lua|Rscript|tclsh)$/, /^--(version|help)$/],
]

/** Options whose value is what runs, so that everything behind it is its own. */
const RUNS = /^-(\w*[ceEmp]|-eval|-print|-run)$/

/** A rule for an interpreter covers files of the workspace; undefined where the program is none. */
export function interpreterConcerns(name: string, words: readonly Word[]): readonly Concern[] | undefined {
  const [, tells] = INTERPRETERS.find(([names]) => names.test(name)) ?? []
  if (!tells) return undefined
  const [, first] = words
  if (words.length === 2 && first && tells.test(literalOf(first) ?? '')) return []
  const concerns: Concern[] = []
  for (let at = 1; at < words.length; at++) {
    const word = words[at]
    if (!word) break
    const text = literalOf(word)
    if (text === undefined || !text.startsWith('-') || text === '-') {
      const what = scriptConcern(word, text)
      return [...concerns, ...(what === undefined ? [] : [{ at, what }]), ...unknownConcerns(words, at + 1)]
    }
    concerns.push({ at, what: `the option ${text} may run a program` })
    if (RUNS.test(text)) return [...concerns, ...unknownConcerns(words, at + 2)]
  }
  return [...concerns, { at: words.length, what: `${name} runs what it reads` }]
}

function scriptConcern(word: Word, text: string | undefined): string | undefined {
  if (text === '-') return 'it runs what it reads'
  return text === undefined ? `the value of ${word.source} is not known` : fileConcern(text)
}

const unknownConcerns = (words: readonly Word[], from: number): readonly Concern[] =>
  words.slice(from).flatMap((word, index) => {
    const what = literalOf(word) === undefined ? globConcern(word, false) : undefined
    return what === undefined ? [] : [{ at: from + index, what }]
  })
