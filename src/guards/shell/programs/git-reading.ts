import type { Concern } from '../concern.ts'
import { staysInside } from '../stays-inside.ts'
import { literalOf } from '../script.ts'
import { programs, without, type Check, type Program } from './program.ts'
import { has } from './read-arguments.ts'
import type { Reading } from './reading.ts'

/** Accepts revisions and files of the workspace. Refuses outside paths, and programs to connect to. */
export const revision: Check = text => {
  if (text.includes('::')) return `${text} names a program to talk to`
  return staysInside(text) ? undefined : `'${text}' is outside the workspace`
}

/** Git starts a program to check signatures. */
const format: Check = text => (/%G|%\(signature/.test(text) ? 'the format checks signatures with a program' : undefined)
export const FORMATS = { '--format': format, '--pretty': format }

const DIFF = `-n= -S= -G= -U= -L= -l= -X? -M? -C? -B? --patch --no-patch --unified= --raw --patch-with-raw --indent-heuristic --no-indent-heuristic --minimal --patience
  --histogram --diff-algorithm= --stat? --stat-width= --stat-count= --compact-summary --numstat --shortstat --dirstat? --cumulative
  --summary --patch-with-stat --name-only --name-status --color? --no-color --color-moved? --no-color-moved --color-moved-ws=
  --word-diff? --word-diff-regex= --color-words? --no-renames --rename-empty --no-rename-empty --check --full-index --binary --abbrev?
  --break-rewrites? --find-renames? --find-copies? --find-copies-harder --irreversible-delete --diff-filter= --pickaxe-all
  --pickaxe-regex --relative? --no-relative --text --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space
  --ignore-blank-lines --ignore-matching-lines= --inter-hunk-context= --function-context --exit-code --quiet --no-ext-diff
  --no-textconv --ignore-submodules? --src-prefix= --dst-prefix= --no-prefix --line-prefix= --ws-error-highlight= --anchored= --cc
  --combined-all-paths --merge-base`

const LOG = `${DIFF} --follow --no-decorate --decorate? --decorate-refs= --decorate-refs-exclude= --source --full-diff --log-size
  --max-count= --skip= --since= --after= --until= --before= --author= --committer= --grep-reflog= --grep= --all-match --invert-grep
  --regexp-ignore-case --basic-regexp --extended-regexp --fixed-strings --perl-regexp --remove-empty --merges --no-merges
  --min-parents= --max-parents= --first-parent --not --all --branches? --tags? --remotes? --glob= --exclude= --reflog --walk-reflogs
  --merge --boundary --cherry-mark --cherry-pick --cherry --left-only --right-only --oneline --simplify-by-decoration --full-history
  --dense --sparse --simplify-merges --ancestry-path? --date-order --author-date-order --topo-order --reverse --pretty? --format=
  --abbrev-commit --no-abbrev-commit --encoding= --expand-tabs? --no-expand-tabs --notes? --no-notes --relative-date --date= --parents
  --children --left-right --graph --no-graph --show-linear-break? --count --no-diff-merges --diff-merges= --no-mailmap --use-mailmap --mailmap
  --end-of-options`

const RISKY =
  '-O@ --submodule? --output> --ext-diff --textconv --show-signature --no-index --stdin --open-files-in-pager? --filters'

/** Options of commands that print commits and their changes. */
const SHOWN: Program = {
  does: 'read',
  operands: 'texts',
  check: revision,
  checks: FORMATS,
  flags: 'puswbRaWztDqcmrigEFP0',
  options: LOG,
  risky: RISKY,
  shapes: /^-\d+$/,
}

/** Reading commands without relevant options of their own. */
const PLAIN: Program = { does: 'read', operands: 'texts', check: revision }

const LISTED = `--contains% --no-contains% --merged% --no-merged% --points-at= --sort= --format= --color? --no-color --column? --no-column
  --ignore-case --omit-empty`

/** Names of branches and tags that are only listed. */
export const BRANCHES: Program = {
  does: 'read',
  operands: 'texts',
  checks: FORMATS,
  flags: 'arvil',
  options: `${LISTED} --all --remotes --list --verbose --show-current --abbrev? --no-abbrev`,
  judge: listsBranches,
}
export const TAGS: Program = {
  does: 'read',
  operands: 'texts',
  checks: FORMATS,
  flags: 'li',
  options: `${LISTED} -n? --list`,
  judge: listsTags,
}
/** Names and addresses of remotes, without connecting to them. */
export const REMOTES: Program = {
  does: 'read',
  operands: 'texts',
  flags: 'v',
  options: '--verbose --push --all',
  judge: verbAmong('get-url'),
}
/** Shows the reflog without expiring entries. */
export const REFLOG: Program = { ...SHOWN, judge: showsReflog }

/** With one of these options, a name is a pattern to list. Without one, it creates a branch. */
function listsBranches(reading: Reading): readonly Concern[] {
  const [first] = reading.operands
  const isList = has(reading, '-l', '--list', '--contains', '--no-contains', '--merged', '--no-merged', '--points-at')
  return isList || !first ? [] : [{ at: first.at, what: `it may create the branch ${first.word.source}` }]
}

export function listsTags(reading: Reading): readonly Concern[] {
  return has(reading, '-l', '--list') || reading.operands.length === 0 ? [] : [{ at: 1, what: 'it changes tags' }]
}

/** Checks that the first operand is absent or one of these. */
export function verbAmong(...verbs: readonly string[]): (reading: Reading) => readonly Concern[] {
  return ({ operands: [first] }) =>
    !first || verbs.includes(literalOf(first.word) ?? '')
      ? []
      : [{ at: first.at, what: `'${first.word.source}' may change something` }]
}

export function showsReflog({ operands }: Reading): readonly Concern[] {
  const verb = operands.find(({ word }) => /^(expire|delete|drop|write)$/.test(literalOf(word) ?? ''))
  return verb ? [{ at: verb.at, what: 'it changes the reflog' }] : []
}

/** Subcommands of git that only read. */
export const GIT_READING = programs({
  'log show whatchanged': SHOWN,
  diff: { ...SHOWN, options: `${DIFF} --cached --staged --base --ours --theirs` },
  'diff-tree diff-index diff-files range-diff': {
    ...SHOWN,
    options: `${LOG} --cached --root --no-commit-id --always --creation-factor= --no-dual-color`,
  },
  'rev-list show-branch cherry': {
    ...SHOWN,
    options: `${LOG} --objects --no-object-names --disk-usage? --header --current --list --more= --independent --topics --max-age= --min-age=`,
  },
  shortlog: {
    ...SHOWN,
    flags: 'nsecE',
    options: `${without(LOG, '-n', '--committer')} -w? --numbered --email --committer --group=`,
  },
  status: {
    does: 'read',
    operands: 'texts',
    check: revision,
    flags: 'sbvz',
    options: `-u? --short --branch --show-stash --porcelain? --long --verbose --untracked-files? --ignore-submodules? --ignored? --column?
    --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames? --null`,
  },
  'blame annotate': {
    does: 'read',
    operands: 'texts',
    check: revision,
    flags: 'bfnpctlsew',
    options: `-L= -C? -M? --root --show-stats --progress --no-progress --incremental --score-debug --show-name --show-number --porcelain --line-porcelain --show-email
    --ignore-rev= --ignore-revs-file@ --color-lines --color-by-age --minimal --abbrev? --date= --since= --first-parent`,
    risky: '-S@ --contents@ --reverse=',
  },
  grep: {
    does: 'read',
    operands: 'texts',
    check: revision,
    flags: 'viwaIrEGFPnhHlLzocpWq',
    options: `-e= -f@ -A= -B= -C= -m= --cached --untracked --exclude-standard --recurse-submodules --invert-match --ignore-case --word-regexp
    --text --recursive --no-recursive --max-depth= --extended-regexp --basic-regexp --fixed-strings --perl-regexp --line-number --column
    --full-name --files-with-matches --name-only --files-without-match --null --only-matching --count --color? --no-color --break
    --heading --context= --before-context= --after-context= --threads= --show-function --function-context --and --or --not --quiet
    --all-match --max-count=`,
    risky: '-O? --open-files-in-pager? --no-index --textconv --ext-grep',
    shapes: /^-\d+$/,
  },
  'ls-files': {
    does: 'read',
    operands: 'texts',
    check: revision,
    flags: 'ztvfcdmoisku',
    options: `-x= -X@ --cached --deleted --modified --others --ignored --stage --killed --directory --no-empty-directory --eol --unmerged
    --resolve-undo --exclude= --exclude-from@ --exclude-per-directory= --exclude-standard --full-name --recurse-submodules --error-unmatch
    --with-tree= --abbrev? --debug --deduplicate --sparse --format=`,
  },
  'ls-tree': {
    ...PLAIN,
    flags: 'drtzl',
    options: '--long --name-only --name-status --object-only --full-name --full-tree --format= --abbrev?',
  },
  'cat-file': {
    ...PLAIN,
    flags: 'eptsz',
    options:
      '--batch? --batch-check? --batch-command? --batch-all-objects --buffer --follow-symlinks --unordered --use-mailmap --allow-unknown-type',
    risky: '--textconv --filters --path=',
  },
  'rev-parse': {
    ...PLAIN,
    flags: 'q',
    options: `--verify --quiet --short? --abbrev-ref? --symbolic --symbolic-full-name --all --branches? --tags? --remotes? --glob= --show-toplevel
    --show-prefix --show-cdup --git-dir --git-common-dir --absolute-git-dir --is-inside-work-tree --is-inside-git-dir
    --is-bare-repository --is-shallow-repository --show-superproject-working-tree --git-path= --path-format= --revs-only --no-revs
    --flags --no-flags --sq --default= --prefix= --not --since= --until= --show-object-format? --end-of-options`,
    risky: '--parseopt --sq-quote --local-env-vars --resolve-git-dir=',
  },
  describe: {
    ...PLAIN,
    options: `--dirty? --broken? --contains --all --tags --long --first-parent --abbrev? --exact-match --candidates= --match= --exclude= --always
    --debug`,
  },
  'for-each-ref': {
    ...PLAIN,
    flags: 'sp',
    checks: FORMATS,
    options: `${LISTED} --shell --perl --python --tcl --count= --exclude=`,
  },
  'show-ref': {
    ...PLAIN,
    flags: 'dqs',
    options: '--tags --heads --branches --verify --head --dereference --hash? --abbrev? --quiet --exists',
  },
  'name-rev': { ...PLAIN, options: '--all --name-only --tags --refs= --exclude= --undefined --always --no-undefined' },
  'merge-base': { ...PLAIN, flags: 'a', options: '--all --octopus --independent --is-ancestor --fork-point' },
  'check-ignore': { ...PLAIN, flags: 'qvzn', options: '--quiet --verbose --no-index --non-matching' },
  'check-attr': { ...PLAIN, flags: 'az', options: '--all --cached --source=' },
  'count-objects': { ...PLAIN, flags: 'vH', options: '--verbose --human-readable' },
  'verify-pack': { ...PLAIN, flags: 'vs', options: '--verbose --stat-only' },
  version: { ...PLAIN, options: '--build-options' },
  var: { ...PLAIN, flags: 'l' },
  fsck: {
    ...PLAIN,
    options:
      '--full --strict --no-dangling --unreachable --connectivity-only --verbose --no-progress --root --tags --cache --no-reflogs --name-objects',
  },
  help: {
    ...PLAIN,
    does: 'run',
    flags: 'agcv',
    options: '--all --guides --config --verbose --no-external-commands --no-aliases',
    risky: '-w -i -m --web --info --man',
  },
  // Git starts a program to query a repository of the workspace.
  'ls-remote': {
    ...PLAIN,
    does: 'run',
    flags: 'htq',
    options: '--heads --branches --tags --refs --quiet --exit-code --get-url --sort= --symref',
    risky: '-o= --upload-pack! --exec! --server-option=',
  },
  // Options end at the first operand: a value follows the name.
  config: {
    does: 'read',
    operands: 'texts',
    optionsFirst: true,
    flags: 'lz',
    options: `-t= --get --get-all --get-regexp --get-urlmatch --list --local --global --system --worktree --name-only --show-origin
    --show-scope --null --type= --bool --int --bool-or-int --bool-or-str --path --expiry-date --includes --no-includes --default= --fixed-value`,
    risky:
      '-f@ -e --file@ --blob= --edit --add --unset --unset-all --replace-all --rename-section --remove-section --get-color --get-colorbool',
    judge: reading => {
      const [verb, value] = reading.operands
      const first = (verb && literalOf(verb.word)) ?? ''
      const isReading =
        has(reading, '--get', '--get-all', '--get-regexp', '--get-urlmatch', '--list', '-l') ||
        /^(get|list)$/.test(first) ||
        // A name without a value shows its value; a subcommand has no dot.
        (value === undefined && /^[a-z][\w-]*\.[\w./:@-]+$/i.test(first))
      return isReading ? [] : [{ at: 1, what: 'it changes how git works' }]
    },
  },
})
