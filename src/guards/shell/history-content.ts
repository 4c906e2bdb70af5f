import type { HistoryPart } from '../../kernel/git-history.ts'

/** How a git command reveals the content of files: it prints it, or restores it to the work tree. */
export interface HistoryContent {
  readonly how: 'prints' | 'restores'
  /** The pathspecs that limit it; empty if nothing does. */
  readonly pathspecs: readonly string[]
  /** It does so only if the repository has this part. */
  readonly where?: HistoryPart
}

/** A git command of a line: its words after the subcommand. */
export interface GitCommand {
  readonly sub: string
  readonly rest: readonly string[]
  /** Options before the subcommand. */
  readonly before: readonly string[]
  /** Every word is known literally. */
  readonly sure: boolean
}

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Subcommands that reveal no content of files, whatever their options. */
const QUIET =
  names(`annotate apply blame branch check-attr check-ignore check-mailmap check-ref-format cherry clean column
commit-graph commit-tree config count-objects credential describe fetch for-each-ref gc hash-object help init interpret-trailers
ls-files ls-remote ls-tree maintenance merge-base merge-file mktag mktree multi-pack-index mv name-rev notes pack-refs prune
prune-packed push remote repack replace rev-list rev-parse rm shortlog show-branch show-index show-ref stripspace
submodule symbolic-ref tag update-index update-ref update-server-info var verify-commit verify-pack verify-tag version
write-tree`)

/** Subcommands that do not change the index: if only these run, hidden files keep their mark in it. */
const STEADY =
  names(`annotate blame branch cat-file check-ignore config count-objects describe diff for-each-ref grep help
log ls-files ls-remote ls-tree merge-base name-rev push remote rev-list rev-parse shortlog show show-branch show-ref status
tag var version`)

/** Subcommands that write content into the work tree. */
const RESTORES = names('am checkout cherry-pick merge pull read-tree rebase revert sparse-checkout switch')

/** Options of a log that print no content, and answer no question about it as `-S`, `-G` and `-L` do. */
const LOG = new RegExp(
  String.raw`^(-\d+|-n.*|-[siEFPqzgtr]+|--|--(${[
    'oneline graph all decorate no-decorate stat shortstat numstat name-only name-status summary compact-summary dirstat format',
    'pretty since after until before author committer grep max-count skip reverse merges no-merges first-parent date abbrev',
    'abbrev-commit no-abbrev-commit no-abbrev no-patch color no-color left-right left-only right-only cherry cherry-pick cherry-mark',
    'tags branches remotes glob not topo-order date-order author-date-order follow no-renames find-renames diff-filter relative raw',
    'notes no-notes walk-reflogs reflog boundary parents children source count full-history no-walk mailmap no-mailmap use-mailmap',
    'encoding invert-grep all-match regexp-ignore-case extended-regexp fixed-strings perl-regexp exclude ignore-missing quiet',
    'show-current no-color-moved exit-code cached staged merge-base end-of-options ignore-submodules',
  ]
    .join(' ')
    .replaceAll(' ', '|')})(=.*)?)$`,
  's',
)
/** One of these is enough to keep content from being printed. */
const SUPPRESSES =
  /^(-s|--(no-patch|stat|shortstat|numstat|name-only|name-status|summary|compact-summary|dirstat|raw|quiet)(=.*)?)$/

const EVERYTHING = { how: 'prints', pathspecs: [] } as const

/** Returns the content of files that a git command reveals. */
export function historyContent(git: GitCommand, line: readonly Pick<GitCommand, 'sub'>[]): readonly HistoryContent[] {
  const how = isOutlet(git) ? 'prints' : git.sure ? howOf(git, line) : QUIET.has(git.sub) ? undefined : 'prints'
  const noteContents = showsNotes(git) ? [{ ...EVERYTHING, where: 'notes' } as const] : []
  if (how === undefined)
    return [...noteContents, ...(git.sub === 'show' && leastOf(git) === 'reference' ? [BY_REFERENCE] : [])]
  const pathspecs = git.sure ? pathspecsOf(git) : []
  const least = pathspecs.length > 0 && !WALKS.has(git.sub) ? leastOf(git) : 'commit'
  // Paths say nothing about a file that is named by its content, or a directory that is taken for the root.
  if (least === 'object') return [EVERYTHING]
  // Elsewhere nothing is hidden.
  const isElsewhere = git.before.some(word => /^--(work-tree|git-dir)|worktree/i.test(word))
  return [
    { how: isElsewhere ? 'prints' : how, pathspecs },
    ...noteContents,
    ...(least === 'reference' ? [BY_REFERENCE] : []),
  ]
}

const BY_REFERENCE: HistoryContent = { ...EVERYTHING, where: 'other references' }

/** Subcommands that skip everything but commits. */
const WALKS = names('log whatchanged reflog format-patch')

/** Returns the least certain of the revisions that a command names. */
function leastOf({ sub, rest }: GitCommand): NamedBy {
  const words = beforePaths(rest)
  const operands = words.filter(word => !word.startsWith('-'))
  const sources = words.flatMap((word, at) => {
    const sourceRevision = /^(?:-s|--sou[a-z]*=)(.+)$/.exec(word)?.[1]
    return sourceRevision === undefined
      ? /^(-s|--sou[a-z]*)$/.test(word)
        ? words.slice(at + 1, at + 2)
        : []
      : [sourceRevision]
  })
  const revisions =
    sub === 'restore'
      ? sources
      : sub === 'grep' && !words.some(word => /^-[a-zA-Z]*[ef]/.test(word))
        ? operands.slice(1)
        : operands
  const kinds = new Set((sub === 'archive' && words === rest ? operands.slice(0, 1) : revisions).map(namedBy))
  if (kinds.has('object')) return 'object'
  const isMany = words.some(word => /^--(all|tags|branches|remotes|glob|reflog)\b/.test(word))
  return isMany || kinds.has('reference') ? 'reference' : 'commit'
}

/** Reports whether a command shows an object under another name, or names it so that it can be shown. */
function isOutlet({ sub, rest }: GitCommand): boolean {
  const has = (pattern: RegExp): boolean => rest.some(word => pattern.test(word))
  const verb = rest.find(word => !word.startsWith('-')) ?? ''
  switch (sub) {
    case 'for-each-ref':
    case 'tag':
    case 'branch':
      return has(/%\(\*?raw/)
    case 'notes':
      if (/^(add|append)$/.test(verb)) return has(/^(-[a-zA-Z]*[cC]|--ree|--reu)/)
      return !/^(copy|remove|prune|merge|get-ref)$/.test(verb)
    case 'config':
      return has(/^--bl/)
    case 'merge-file':
      return has(/^--ob/)
    case 'update-index':
      return has(/^--(cachei|index-i)/)
    case 'apply':
      // Whether a patch applies reveals the content of the index, line by line.
      return has(/^(-[a-zA-Z]*3|--(ca|ind|3))/)
    case 'annotate':
    case 'blame':
      // Lines found in other files name those files.
      return has(/^-[a-zA-Z]*C/)
    case 'rev-list':
    case 'shortlog':
      return has(/^-[SGLp]|^--(pic|pat)/)
    case 'replace':
      return verb !== '' && !has(/^(-[dl]|--delete|--list)$/)
    default:
      return sub === 'mktree'
  }
}

/** A log shows notes unless it has a format of its own. */
function showsNotes({ sub, rest }: GitCommand): boolean {
  const has = (pattern: RegExp): boolean => rest.some(word => pattern.test(word))
  if (has(/%N|^--(show-)?notes/)) return true
  return /^(log|show|whatchanged)$/.test(sub) && !has(/^--(no-notes|no-standard-notes|oneline|format|pretty)/)
}

function howOf({ sub, rest }: GitCommand, line: readonly Pick<GitCommand, 'sub'>[]): HistoryContent['how'] | undefined {
  const operands = beforePaths(rest).filter(word => !word.startsWith('-'))
  const [verb = ''] = operands
  const has = (pattern: RegExp): boolean => rest.some(word => pattern.test(word))
  const isSteady = line.every(other => STEADY.has(other.sub))
  const isPlain = rest.every(word => !word.startsWith('-') || LOG.test(word))
  const logs = isPlain ? undefined : 'prints'
  if (QUIET.has(sub)) return undefined
  if (INTERACTIVE.has(sub) && has(/^(-[a-zA-Z]*p[a-zA-Z]*|--patch|-[ie]|--interactive|--edit)$/)) return 'prints'
  switch (sub) {
    case 'add':
      return undefined
    case 'log':
    case 'reflog':
    case 'whatchanged':
    case 'diff-tree':
    case 'diff-index':
      return logs
    case 'show':
      if (operands.length > 0 && operands.every(isNamed)) return undefined
      return isPlain && has(SUPPRESSES) && !operands.some(word => namedBy(word) === 'object') ? undefined : 'prints'
    case 'diff':
    case 'diff-files':
      if (has(/^--no-index$/) || (isPlain && has(SUPPRESSES))) return undefined
      return operands.length === 0 && isSteady && !has(/^--(cached|staged|merge-base)/) ? undefined : 'prints'
    case 'grep':
      if (has(/^--no-index$/)) return undefined
      return operands.length <= (has(/^-[a-zA-Z]*[ef]/) ? 0 : 1) && isSteady && !has(/^--cached$/)
        ? undefined
        : 'prints'
    case 'cat-file':
      if (operands.length > 0 && operands.every(word => isNamed(word) || /^(blob|tree)$/.test(word))) return undefined
      return has(/^(-[tse]|--batch-check(=.*)?)$/) && !has(/^(-p|--batch(-all.*|=.*)?|--textconv|--filters)$/)
        ? undefined
        : 'prints'
    case 'status':
      return has(/^(-[a-uw-z]*v|--v)/) ? 'prints' : undefined
    case 'commit':
      return has(/^(-[^mFCct-]*v|--v)/) ? 'prints' : undefined
    case 'fsck':
      return has(/^--l/) ? 'prints' : undefined
    case 'stash':
      if (/^(|push|save|drop|clear|create|store)$/.test(verb)) return undefined
      if (/^(pop|apply|branch)$/.test(verb)) return 'restores'
      return verb === 'list' || verb === 'show' ? logs : 'prints'
    case 'reset':
      return has(/^--([hk]|me)/) ? 'restores' : undefined
    case 'restore':
      return has(/^(-S|--st)/) && !has(/^(-[SW]*W|--w)/) ? undefined : 'restores'
    case 'bisect':
      return verb === 'log' || verb === 'terms' ? undefined : 'restores'
    case 'worktree':
      return /^(list|prune|remove|lock|unlock|move|repair)$/.test(verb) ? undefined : 'prints'
    case 'bundle':
      return /^(verify|list-heads)$/.test(verb) ? undefined : 'prints'
    case 'clone':
      return /^(https?|ssh|git):|^[\w.-]+@/.test(verb) ? undefined : 'prints'
    default:
      if (!RESTORES.has(sub)) return 'prints'
      // A new branch at the current one changes nothing.
      return isNewBranch(rest) || (sub === 'sparse-checkout' && verb === 'list') ? undefined : 'restores'
  }
}

const INTERACTIVE = names('add checkout commit reset restore stash')

/** Reports whether the path follows a revision or a stage; it was judged by its name. */
const isNamed = (word: string): boolean => /^[^:]*:[^/:]|^:[0-3]:./.test(word)

const isNewBranch = (rest: readonly string[]): boolean => {
  const words = rest.filter(word => !/^(-q|--quiet|--no-track)$/.test(word))
  return words.length === 2 && /^(-[bBcC]|--orphan|--create)$/.test(words[0] ?? '')
}

const beforePaths = (rest: readonly string[]): readonly string[] => {
  const at = rest.indexOf('--')
  return at < 0 ? rest : rest.slice(0, at)
}

function pathspecsOf({ sub, rest, before }: GitCommand): readonly string[] {
  if (before.some(word => word.endsWith('-pathspecs')) || /^(annotate|apply|blame)$/.test(sub)) return []
  // A path followed through renames, or looked up by lines, has had other names; some options limit only the commits.
  if (rest.some(word => /^(--follow|-L|--pathspec-f|--full-d|--stdin)/.test(word))) return []
  const at = rest.indexOf('--')
  if (at >= 0) return rest.slice(at + 1)
  const operands = rest.filter(word => !word.startsWith('-'))
  if (sub === 'restore') return operands
  return sub === 'archive' ? operands.slice(1) : []
}

/** The certain target of a word that names a revision. */
type NamedBy = 'commit' | 'reference' | 'object'

const PARENT = String.raw`(~\d*|\^\d*|\^\{commit\}|\^\{/[^}]*\})`
/** HEAD is always a commit, and so is anything with parents; the tree of HEAD has the same paths. */
const COMMIT = new RegExp(String.raw`^((HEAD|@)(@\{[^}]*\})?${PARENT}*(\^\{tree\})?|[^:]+${PARENT})$`)
/** A hash may be that of a file or of a directory, whose paths begin elsewhere. */
const OBJECT = /:|^[0-9a-f]{4,64}($|[\^~@])|-g[0-9a-f]{4,}($|[\^~@])/i

/** Returns how a revision or a range is named. A branch or a tag is a reference, which may lead to a file. */
function namedBy(word: string): NamedBy {
  const ends = word.startsWith(':') ? [word] : word.replace(/^\^/, '').split(/\.{2,3}/)
  const uncertain = ends.filter(end => end !== '' && !COMMIT.test(end))
  if (uncertain.some(end => OBJECT.test(end))) return 'object'
  return uncertain.length > 0 ? 'reference' : 'commit'
}
