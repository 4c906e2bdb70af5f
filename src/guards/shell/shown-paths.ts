import { subcommandAt } from './git-words.ts'
import type { Argv } from './guess.ts'
import { isInside } from './inside.ts'
import { parseLine } from './parse-line.ts'
import { programName } from './program-name.ts'
import { reachOf } from './reach.ts'

/** What a line has git take out of its history, where no sandbox can hide a file: `git show HEAD:.env`. */
export interface Shown {
  readonly paths: readonly string[]
  /** Patterns that git itself, or the shell, looks for. */
  readonly patterns: readonly string[]
  /** The command that brings files back without naming them. */
  readonly unseen?: string | undefined
}

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Subcommands that show or bring back what files held. */
const SHOWS =
  names(`show log diff cat-file blame annotate grep archive checkout restore format-patch whatchanged diff-tree diff-index
diff-files checkout-index fast-export stash worktree range-diff difftool reflog unpack-file merge-file clone`)

/** Subcommands that only say where it lies; that matters where another one of the line shows it. */
const PLACES = names('ls-tree ls-files rev-parse rev-list')

/** Options whose value is a text. */
const TEXTS = /^(-[SGnem]|--(grep|author|committer|since|until|after|before|format|pretty|message))(=|$)/

/** The paths and patterns that the git commands of a line name. */
export function shownPaths(line: string): Shown {
  const { commands, inputs } = reachOf(parseLine(line))
  const gits = commands
    .filter(([program]) => programName(program?.text ?? '') === 'git')
    .map(argv => gitOf(argv, inputs))
  const isShowing = gits.some(({ sub }) => SHOWS.has(sub))
  const showing = gits.filter(({ sub }) => SHOWS.has(sub) || (isShowing && PLACES.has(sub)))
  const bases = ['', ...commands.flatMap(directoryOf)]
  const named = showing.flatMap(git => namedBy(git)).flatMap(word => readings(word))
  return {
    paths: named.flatMap(word => bases.map(base => tidy(`${base}/${fixedPart(word)}`))).filter(path => path !== ''),
    patterns: named.filter(word => /[*?[]/.test(word)).map(tidy),
    unseen: showing.find(isUnseen)?.source,
  }
}

interface Git {
  readonly source: string
  readonly sub: string
  readonly rest: readonly string[]
  readonly input: string | undefined
}

function gitOf(argv: Argv, inputs: ReadonlyMap<Argv, string>): Git {
  const words = argv.map(({ text }) => text)
  const [sub = '', ...rest] = words.slice(subcommandAt(words))
  return { source: words.join(' '), sub, rest, input: inputs.get(argv) }
}

/** Where a path of the line may begin: `cd sub`, `git -C sub`. */
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

/** A word may be a path, one behind a revision or a stage, or one with marks of its own before it. */
function readings(word: string): readonly string[] {
  if (EXCLUDED.test(word)) return []
  const plain = word.replace(/^:\([^)]*\)/, '')
  const parts = plain.split(':')
  const behind = parts.map((_, at) => parts.slice(at).join(':'))
  // The root of the workspace is not known here.
  return behind.flatMap(path => (path.startsWith('/') ? suffixes(path) : [path]))
}

function suffixes(path: string): readonly string[] {
  const parts = path.split('/').slice(-MAX_PARTS)
  return parts.map((_, at) => parts.slice(at).join('/'))
}

const MAX_PARTS = 20

/** The directory that a pattern stays in, or all of a path. */
const fixedPart = (word: string): string => {
  const at = word.search(/[*?[]/)
  return at < 0 ? word : word.slice(0, word.lastIndexOf('/', at) + 1)
}

/** The path without detours; empty where it leads out, or is the place where it begins. */
function tidy(path: string): string {
  const relative = path.replace(/^\/+/, '')
  if (!isInside(relative)) return ''
  const parts: string[] = []
  for (const part of relative.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

/** Whether it brings back files that are not in the line. */
function isUnseen({ sub, rest, input }: Git): boolean {
  const operands = rest.filter(word => !word.startsWith('-'))
  if (sub === 'worktree') return operands[0] === 'add'
  if (sub === 'clone') return !/^(https?|ssh|git):|^[\w.-]+@/.test(operands[0] ?? '')
  if (sub === 'archive' || sub === 'fast-export') return operands.length < 2
  if (sub === 'checkout-index') return rest.some(word => /^(-\w*a\w*|--all|--stdin)$/.test(word))
  const isRead = rest.some(word => /^--(batch|stdin|pathspec-from-file)/.test(word))
  return isRead && (input === undefined || rest.some(word => word.startsWith('--batch-all')))
}
