import type { Options } from './options.ts'

const FORMAT = (text: string): string | undefined =>
  text.includes('%G') ? 'the format checks signatures with a program' : undefined

const DIFF = `patch no-patch unified= raw patch-with-raw indent-heuristic no-indent-heuristic minimal patience histogram
  diff-algorithm= stat? stat-width= stat-count= compact-summary numstat shortstat dirstat? cumulative summary patch-with-stat
  name-only name-status color? no-color color-moved? no-color-moved color-moved-ws= word-diff? word-diff-regex=
  color-words? no-renames rename-empty no-rename-empty check full-index binary abbrev? break-rewrites? find-renames? find-copies?
  find-copies-harder irreversible-delete diff-filter= pickaxe-all pickaxe-regex relative? no-relative text ignore-cr-at-eol
  ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= inter-hunk-context=
  function-context exit-code quiet no-ext-diff no-textconv ignore-submodules? src-prefix= dst-prefix= no-prefix line-prefix= ws-error-highlight=
  anchored= cc combined-all-paths`

const LOG = `${DIFF} follow no-decorate decorate? decorate-refs= decorate-refs-exclude= source full-diff log-size max-count= skip= since= after= until=
  before= author= committer= grep-reflog= grep= all-match invert-grep regexp-ignore-case basic-regexp extended-regexp fixed-strings
  perl-regexp remove-empty merges no-merges min-parents= max-parents= first-parent not all branches? tags? remotes? glob= exclude=
  reflog walk-reflogs merge boundary cherry-mark cherry-pick cherry left-only right-only oneline simplify-by-decoration full-history dense sparse
  simplify-merges ancestry-path? date-order author-date-order topo-order reverse pretty? format= abbrev-commit no-abbrev-commit
  encoding= expand-tabs? no-expand-tabs notes? no-notes relative-date date= parents children left-right graph no-graph
  show-linear-break? count no-diff-merges no-mailmap use-mailmap mailmap line-prefix= end-of-options`

const SHAPES = /^(-\d+|-[MCB]\d*%?|-U\d+|-l\d+|-X[\w,.]*|-c|--)$/

const SHOWN: Options = {
  flags: 'puswbRaWztDMCqcmrigEFP',
  values: 'nSGUL',
  long: LOG,
  shapes: SHAPES,
  operands: 'any',
  check: FORMAT,
}

/** Subcommands that only read, with the options that keep it so. */
export const GIT_READS: ReadonlyMap<string, Options> = new Map<string, Options>([
  ['log', SHOWN],
  ['show', SHOWN],
  ['diff', { ...SHOWN, long: `${DIFF} cached staged merge-base base ours theirs` }],
  [
    'status',
    {
      flags: 'sbvuz',
      shapes: /^-u(no|normal|all)$/,
      operands: 'any',
      long: `short branch show-stash porcelain? long verbose untracked-files? ignore-submodules? ignored? column? no-column ahead-behind
      no-ahead-behind renames no-renames find-renames?`,
    },
  ],
  [
    'branch',
    {
      flags: 'arvil',
      operands: 'none',
      long: `all remotes list verbose show-current contains= no-contains= merged? no-merged? points-at= sort= format= color? no-color
      column? no-column abbrev? no-abbrev ignore-case omit-empty`,
    },
  ],
])

/** Subcommands that a rule for all of git covers; any other name may be an alias. */
export const GIT_SUBCOMMANDS: ReadonlySet<string> = new Set(
  `add am apply archive bisect blame branch cat-file check-attr check-ignore checkout cherry cherry-pick clean clone commit config
  count-objects describe diff diff-files diff-index diff-tree fetch for-each-ref format-patch fsck gc grep help init log ls-files
  ls-remote ls-tree merge merge-base mv name-rev notes pull push range-diff rebase reflog remote reset restore rev-list rev-parse
  revert rm shortlog show show-branch show-ref sparse-checkout stash status submodule switch symbolic-ref tag var verify-pack version
  whatchanged worktree write-tree`.split(/\s+/),
)

/** Long options, of any subcommand, that run a program, write a file or bring another configuration. */
export const GIT_RUNS: readonly string[] =
  `upload-pack receive-pack exec ext-diff textconv filters output output-directory
  open-files-in-pager show-signature gpg-sign sign local-user template config extcmd tool separate-git-dir no-index edit-description
  upload-archive server-option remote interactive-exec to-command hook`.split(/\s+/)

/** The same as single letters, for each subcommand. */
export const GIT_RUNNING_LETTERS: ReadonlyMap<string, string> = new Map([
  ['add', 'eip'],
  ['stash', 'p'],
  ['checkout', 'p'],
  ['reset', 'p'],
  ['restore', 'p'],
  ['clean', 'i'],
  ['rebase', 'xSi'],
  ['clone', 'uc'],
  ['commit', 'Septc'],
  ['merge', 'Se'],
  ['cherry-pick', 'S'],
  ['revert', 'S'],
  ['am', 'Si'],
  ['tag', 'su'],
  ['archive', 'o'],
  ['format-patch', 'o'],
  ['grep', 'O'],
  ['diff', 'O'],
  ['log', 'O'],
  ['show', 'O'],
])

/** Long options that do so only here, and are harmless elsewhere. */
export const GIT_RUNNING_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['add', ['edit', 'interactive', 'patch']],
  ['commit', ['edit', 'interactive', 'patch', 'reedit-message']],
  ['stash', ['patch']],
  ['checkout', ['patch']],
  ['reset', ['patch']],
  ['restore', ['patch']],
  ['clean', ['interactive']],
  ['rebase', ['interactive', 'edit-todo']],
  ['merge', ['edit']],
  ['revert', ['edit']],
  ['cherry-pick', ['edit']],
  ['am', ['interactive']],
])
