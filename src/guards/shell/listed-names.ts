import { staysInside } from './stays-inside.ts'
import { programOf } from './programs/programs.ts'
import { has, readArguments } from './programs/read-arguments.ts'
import { isGlob, literalOf, type Simple, type Word } from './script.ts'

const ANY = { kind: 'glob', text: '*' } as const

/** Names found in the workspace, as by a pattern: any name, or a path that never looks like an option. */
export const listedWords: { readonly name: Word; readonly path: Word } = {
  name: { source: '*', pieces: [ANY], brace: false },
  path: { source: './*', pieces: [{ kind: 'text', text: './', quoted: false }, ANY], brace: false },
}

/**
 * Returns what each printed line of a command stands for, if that is certainly a name in the workspace. `ls` prints
 * names without a slash, so a line break in one leads nowhere else, and `git ls-files` quotes such names.
 */
export function listedNames({ words, assignments, redirections }: Simple): Word | undefined {
  if (assignments.length + redirections.length > 0) return undefined
  const [program, ...rest] = words
  const name = program && literalOf(program)
  if (name === 'ls') return rest.every(isListed) ? listedWords.name : undefined
  const texts = words.map(literalOf)
  return name === 'git' && texts[1] === 'ls-files' && texts.slice(2).every(isFilter) ? listedWords.name : undefined
}

/** Rejects `-a`, which lists the parent, and forms that print more than names. */
function isListed(word: Word): boolean {
  const text = literalOf(word)
  if (text === undefined) return isGlob(word) && !word.source.includes('/')
  return text.startsWith('-') ? /^-[1ArtScuvUX]+$/.test(text) : staysInside(text)
}

const isFilter = (text: string | undefined): boolean =>
  /^(-[como]+|--(cached|others|modified|deleted|exclude-standard))$/.test(text ?? '')

/** Commands that print file names with one of the first options, and nothing else with the others. */
const LISTS = new Map([
  [
    'grep',
    [
      '-l -L --files-with-matches --files-without-match',
      '-r -R -i -w -F -E -P -v -s -I -e --include --exclude --exclude-dir',
    ],
  ],
  [
    'rg',
    [
      '-l --files --files-with-matches',
      '-i -w -F -v -S -s -u -g -t -T -e -0 --hidden --glob --type --type-not --no-ignore --null',
    ],
  ],
  ['git grep', ['-l --files-with-matches --name-only', '-i -w -F -E -P -v -I -e -z --cached --untracked']],
  ['git diff', ['--name-only', '-z --cached --staged --relative --merge-base --no-renames --diff-filter']],
])

/** Options that may print a text of the line's own. */
const FIND_PRINTS = /^-(f?printf|f?ls|fprint0?|exec|execdir|ok|okdir|files0-from)$/
const GIT_PRINTS = /^--(format|eol|debug)/

/**
 * Reports whether a command prints names of files in the workspace and nothing else. A name with a blank or a line
 * break may be split by its reader, and its parts can lead elsewhere; only programs that only read may get them.
 */
export function printsNames({ words, assignments, redirections, input, isCall }: Simple): boolean {
  if (isCall) return false
  const isQuiet = redirections.every(({ operator, target }) => operator === '>' && target.source === '/dev/null')
  if (assignments.length > 0 || !isQuiet || !words.every(word => literalOf(word) !== undefined || isGlob(word)))
    return false
  const texts = words.map(word => literalOf(word) ?? '')
  const [program = '', subcommand = ''] = texts
  if (program === 'ls') return words.slice(1).every(isListed)
  if (program === 'find') return !texts.some(text => FIND_PRINTS.test(text))
  if (program === 'git' && subcommand === 'ls-files') return !texts.some(text => GIT_PRINTS.test(text))
  const isFiltering = words.every(word => literalOf(word) !== undefined) && isLineFilter(texts)
  return (isFiltering && input !== undefined && printsNames(input)) || listsFiles(words)
}

function listsFiles(words: readonly Word[]): boolean {
  const [program = '', subcommand = ''] = words.map(word => literalOf(word) ?? '')
  const isGit = program === 'git'
  const [neededOptions, others] = LISTS.get(isGit ? `git ${subcommand}` : program) ?? []
  const table = isGit ? programOf(program)?.subcommands?.get(subcommand) : programOf(program)
  if (neededOptions === undefined || others === undefined || !table) return false
  const reading = readArguments(table, isGit ? words.slice(1) : words)
  const all = `${neededOptions} ${others}`.split(' ')
  return (
    reading.doubts.length === 0 &&
    has(reading, ...neededOptions.split(' ')) &&
    reading.options.every(({ name }) => all.includes(name))
  )
}

/** Reports whether a command prints some of its input lines unchanged. */
function isLineFilter([program = '', ...rest]: readonly string[]): boolean {
  if (program === 'sort') return rest.every(text => /^-[fnruV]+$/.test(text))
  if (program === 'uniq') return rest.length === 0
  if (program === 'head' || program === 'tail') return /^(-n ?\d+|-\d+)?$/.test(rest.join(' '))
  const operands = rest.filter(text => !/^-[vEFPiwx]+$/.test(text))
  return program === 'grep' && operands.length === 1 && !operands[0]?.startsWith('-')
}
