import { subcommandAt } from './programs/git.ts'
import { historyContent, type GitCommand, type HistoryContent } from './history-content.ts'
import type { Argv } from './likely-commands.ts'
import { staysInside } from './stays-inside.ts'
import { parseLine } from './parse-line.ts'
import { programName } from './program-name.ts'
import { startedCommands } from './started-commands.ts'

/** What a line makes git take out of its history, in which no sandbox can hide a file: `git show HEAD:.env`. */
export interface Shown {
  readonly paths: readonly string[]
  /** Patterns that git itself, or the shell, searches for. */
  readonly patterns: readonly string[]
  /** The command that restores files without naming them. */
  readonly unseen?: string | undefined
  /** Commands that print or restore content of the history, with their limits. */
  readonly contents: readonly (HistoryContent & { readonly source: string })[]
  /** The whole line runs in its start directory. */
  readonly stays: boolean
}

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Subcommands that show or restore the content of files. */
const SHOWS =
  names(`show log diff cat-file blame annotate grep archive checkout restore format-patch whatchanged diff-tree diff-index
diff-files checkout-index fast-export stash worktree range-diff difftool reflog unpack-file merge-file clone`)

/** Subcommands that only locate content, which matters if another command of the line shows it. */
const PLACES = names('ls-tree ls-files rev-parse rev-list')

/** Subcommands that can make a reference lead to any object. */
const REFERS = names('fetch notes pull push replace symbolic-ref tag update-ref')

/** Options whose value is a text. */
const TEXTS = /^(-[SGnem]|--(grep|author|committer|since|until|after|before|format|pretty|message))(=|$)/

/**
 * Returns the paths and patterns that the git commands of a line name. `earlier`: git subcommands that ran before it.
 */
export function shownPaths(line: string, earlier: readonly string[] = []): Shown {
  const { commands, inputs, hidden, isCut } = startedCommands(parseLine(line))
  const whole = isCut ? [{ how: 'prints' as const, pathspecs: [], source: line.slice(0, 80) }] : []
  const gits = commands
    .filter(([program]) => programName(program?.text ?? '') === 'git')
    .map(argv => gitOf(argv, inputs))
  const isShowing = gits.some(({ sub }) => SHOWS.has(sub))
  const showing = gits.filter(({ sub }) => SHOWS.has(sub) || (isShowing && PLACES.has(sub)))
  const bases = ['', ...commands.flatMap(directoryOf)]
  const isSettled = !/\brefs\b|\.git\b/.test(line) && ![...earlier, ...gits.map(subOf)].some(sub => REFERS.has(sub))
  const around = [...gits, ...earlier.map(sub => ({ sub }))]
  const namedWords = showing.flatMap(git => namedBy(git)).flatMap(word => readings(word))
  return {
    paths: namedWords
      .flatMap(word => bases.map(base => tidy(`${base}/${fixedPart(word)}`)))
      .filter(path => path !== ''),
    patterns: namedWords.filter(word => /[*?[]/.test(word)).map(tidy),
    unseen: showing.find(isUnseen)?.source ?? whole[0]?.source,
    stays: !hidden && commands.every(([program, ...rest]) => staysThere(program?.text ?? '', rest)),
    contents: gits
      .flatMap(git =>
        historyContent(/\bGIT_[A-Z_]+=/.test(line) ? { ...git, sure: false } : git, around).map(
          ({ how, pathspecs, where }) => ({ how, pathspecs, source: git.source, ...(where && isSettled && { where }) }),
        ),
      )
      .concat(whole),
  }
}

const subOf = ({ sub }: GitCommand): string => sub

interface Git extends GitCommand {
  readonly source: string
  readonly input: string | undefined
}

function gitOf(argv: Argv, inputs: ReadonlyMap<Argv, string>): Git {
  const words = argv.map(({ text }) => text)
  const at = subcommandAt(words)
  const [sub = '', ...rest] = words.slice(at)
  const sure = argv.every(arg => arg.sure || arg.glob === true)
  return { source: words.join(' '), sub, rest, before: words.slice(1, at), sure, input: inputs.get(argv) }
}

/** Reports whether a program neither changes its directory nor starts another that could. */
const staysThere = (program: string, rest: Argv): boolean =>
  STAYING.has(programName(program)) && !rest.some(({ text }) => /^(-C|--git-dir|--work-tree)/.test(text))

const STAYING = names('git cat echo grep rg head tail wc sort uniq true printf less jq')

/** Returns the directories that a path of the line may begin in: `cd sub`, `git -C sub`. */
function directoryOf(argv: Argv): readonly string[] {
  const [program = '', ...rest] = argv.map(({ text }) => text)
  if (program === 'cd' || program === 'pushd') return rest.filter(word => !word.startsWith('-')).slice(0, 1)
  if (programName(program) !== 'git') return []
  return rest.filter((_, at) => rest[at - 1] === '-C')
}

function namedBy({ rest, input }: Git): readonly string[] {
  const words = rest.flatMap((word, at) => {
    if (TEXTS.test(rest[at - 1] ?? '') || TEXTS.test(word)) return []
    if (/^-L./.test(word)) return [word.slice(word.indexOf(':') + 1)]
    if (word.startsWith('-')) return word.includes('=') ? [word.slice(word.indexOf('=') + 1)] : []
    return [word]
  })
  const isRead = rest.some(word => /^--(batch|stdin|pathspec-from-file)/.test(word))
  return isRead && input !== undefined ? [...words, ...input.split(/\s+/)] : words
}

const EXCLUDED = /^:(\([^)]*\bexclude\b[^)]*\)|[!^])/

/** A word may be a path, a path after a revision or a stage, or a path with a prefix. */
function readings(word: string): readonly string[] {
  if (EXCLUDED.test(word)) return []
  const plain = word.replace(/^:\([^)]*\)/, '')
  const parts = plain.split(':')
  const behind = parts.map((_, at) => parts.slice(at).join(':'))
  // The root of the workspace is unknown here.
  return behind.flatMap(path => (path.startsWith('/') ? suffixes(path) : [path]))
}

function suffixes(path: string): readonly string[] {
  if (path.length > MAX_PATH) return []
  const parts = path.split('/')
  return parts.map((_, at) => parts.slice(at).join('/'))
}

/** No longer path can be opened. */
const MAX_PATH = 4_096

/** Returns the fixed directory of a pattern, or all of a path. */
const fixedPart = (word: string): string => {
  const at = word.search(/[*?[]/)
  return at < 0 ? word : word.slice(0, word.lastIndexOf('/', at) + 1)
}

/** Returns the path without detours; empty if it leads out, or is its own start. */
function tidy(path: string): string {
  const relative = path.replace(/^\/+/, '')
  if (!staysInside(relative)) return ''
  const parts: string[] = []
  for (const part of relative.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

/** Reports whether it restores files that the line does not name. */
function isUnseen({ sub, rest, input }: Git): boolean {
  const operands = rest.filter(word => !word.startsWith('-'))
  if (sub === 'worktree') return operands[0] === 'add'
  if (sub === 'clone') return !/^(https?|ssh|git):|^[\w.-]+@/.test(operands[0] ?? '')
  if (sub === 'archive' || sub === 'fast-export') return operands.length < 2
  if (sub === 'checkout-index') return rest.some(word => /^(-\w*a\w*|--all|--stdin)$/.test(word))
  const isRead = rest.some(word => /^--(batch|stdin|pathspec-from-file)/.test(word))
  return isRead && (input === undefined || rest.some(word => word.startsWith('--batch-all')))
}
