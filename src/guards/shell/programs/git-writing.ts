import { fileConcern } from '../concern.ts'
import { literalOf } from '../script.ts'
import {
  BRANCHES,
  FORMATS,
  GIT_READING,
  listsTags,
  REFLOG,
  REMOTES,
  revision,
  showsReflog,
  TAGS,
  verbAmong,
} from './git-reading.ts'
import { concernAt } from './judge-arguments.ts'
import { programs, without, type Check, type Program } from './program.ts'

const WRITES: Program = { does: 'write', operands: 'texts', check: revision }
const RUNS: Program = { ...WRITES, shapes: /^-/, asks: 'it runs a command' }
const LOG: Program = GIT_READING.get('log') ?? WRITES
const { options: LOGGED = '' } = LOG

/** Any other name is a program. */
const strategy: Check = text =>
  /^(ort|recursive|resolve|octopus|ours|subtree)$/.test(text) ? undefined : `'${text}' may be a program`

const PATHS = '--pathspec-from-file@ --pathspec-file-nul'
const MERGED = `-X= -n --stat --no-stat --no-commit --commit --no-edit --ff --no-ff --ff-only --squash --no-squash --signoff --no-signoff --autostash
  --no-autostash --allow-unrelated-histories --strategy= --strategy-option= --cleanup= --rerere-autoupdate --no-rerere-autoupdate
  --progress --no-progress --quiet --verbose --abort --continue --quit --skip --no-verify --verify --no-verify-signatures --log? --no-log`
const FETCHED = `-j= --all --append --atomic --depth= --deepen= --shallow-since= --unshallow --update-shallow --force --keep --multiple --prune
  --no-prune --prune-tags --tags --no-tags --recurse-submodules? --no-recurse-submodules --jobs= --progress --no-progress --quiet --verbose
  --dry-run --set-upstream --refmap= --ipv4 --ipv6 --filter= --no-auto-gc --no-auto-maintenance --porcelain --rebase? --no-rebase`
const SIGNS = '-S? --gpg-sign? -e --edit'

const TAG: Program = {
  ...WRITES,
  checks: FORMATS,
  flags: 'lidaf',
  options: `${TAGS.options} -m= -F@ --delete --annotate --force --message= --file@ --cleanup= --create-reflog --trailer=`,
  risky: '-s -u= -v -e --sign --local-user= --verify --edit',
}
const REMOTE: Program = {
  ...WRITES,
  flags: 'vftmnp',
  options: '--verbose --tags --no-tags --mirror? --add --push --all --delete --dry-run --prune',
}
const REFLOGS: Program = {
  ...LOG,
  does: 'write',
  options: `${LOGGED} --expire= --expire-unreachable= --updateref --rewrite --stale-fix --dry-run --verbose`,
}
const SYMBOLIC: Program = { ...WRITES, flags: 'q', options: '--quiet --short --recurse --no-recurse' }

/** Git subcommands that change the repository or files. A rule does not cover options that run a program. */
export const GIT_WRITING = programs({
  add: {
    ...WRITES,
    flags: 'nvfuNA',
    options: `${PATHS} --dry-run --verbose --force --update --renormalize --intent-to-add --all --no-all --ignore-removal --no-ignore-removal
    --refresh --ignore-errors --ignore-missing --sparse --chmod=`,
    risky: '-i -p -e --interactive --patch --edit',
  },
  commit: {
    ...WRITES,
    flags: 'qvsaionz',
    options: `${PATHS} -m= -F@ -C= -u? --quiet --verbose --file@ --author= --date= --message= --reuse-message= --fixup= --squash=
    --reset-author --trailer= --signoff --no-signoff --cleanup= --status --no-status --all --include --only --no-verify --dry-run --short
    --branch --porcelain --long --null --amend --no-edit --allow-empty --allow-empty-message --no-gpg-sign --no-post-rewrite
    --untracked-files?`,
    risky: `${SIGNS} -p -c= -t@ --interactive --patch --reedit-message= --template@`,
  },
  checkout: {
    ...WRITES,
    flags: 'lqmdtf23',
    options: `${PATHS} -b= -B= --guess --no-guess --overlay --no-overlay --quiet --progress --no-progress --merge --conflict= --detach --track?
    --no-track --force --orphan= --ignore-other-worktrees --ours --theirs --recurse-submodules? --no-recurse-submodules`,
    risky: '-p --patch',
  },
  switch: {
    ...WRITES,
    flags: 'qmdtf',
    options: `-c= -C= --create= --force-create= --guess --no-guess --discard-changes --quiet --progress --no-progress --merge --conflict= --detach
    --track? --no-track --force --orphan= --ignore-other-worktrees --recurse-submodules? --no-recurse-submodules`,
  },
  restore: {
    ...WRITES,
    flags: 'SWqm23',
    options: `${PATHS} -s= --source= --staged --worktree --ignore-unmerged --overlay --no-overlay --quiet --progress --no-progress --merge
    --conflict= --ours --theirs`,
    risky: '-p --patch',
  },
  reset: {
    ...WRITES,
    flags: 'qN',
    options: `${PATHS} --quiet --no-quiet --refresh --no-refresh --mixed --soft --hard --merge --keep --intent-to-add`,
    risky: '-p --patch',
  },
  merge: {
    ...WRITES,
    flags: 'vq',
    options: `-s= -m= -F@ --message= --file@ --into-name= ${MERGED}`,
    risky: `${SIGNS} --verify-signatures`,
    checks: { '-s': strategy, '--strategy': strategy },
  },
  rebase: {
    ...WRITES,
    flags: 'qvfmr',
    options: `-s= --onto= --keep-base --root --force-rebase --merge --apply --autosquash --no-autosquash --update-refs --no-update-refs
    --rebase-merges? --no-rebase-merges --fork-point --no-fork-point --empty= --reapply-cherry-picks --no-reapply-cherry-picks --whitespace= --ignore-whitespace
    --committer-date-is-author-date --reset-author-date --show-current-patch ${MERGED}`,
    risky: '-i -x! -S? --interactive --exec! --edit-todo --gpg-sign?',
    checks: { '-s': strategy, '--strategy': strategy },
  },
  'cherry-pick revert': {
    ...WRITES,
    flags: 'sx',
    options: `-m= --mainline= --allow-empty --allow-empty-message --keep-redundant-commits --empty= --reference ${MERGED}`,
    risky: SIGNS,
    checks: { '--strategy': strategy },
  },
  stash: {
    ...WRITES,
    flags: 'kuaqS',
    options: `${without(LOGGED, '-S', '--patch')} -m= --keep-index --no-keep-index --include-untracked --only-untracked --index --staged --message=`,
    risky: '-p --patch',
    reading: { ...WRITES, does: 'read', optionsFirst: true, subcommands: programs({ 'list show': LOG }) },
  },
  branch: {
    ...WRITES,
    operands: 'texts',
    checks: FORMATS,
    flags: 'arvildDmMcCfqt',
    options: `${BRANCHES.options} -u= --set-upstream-to= --unset-upstream --track? --no-track --delete --move --copy --create-reflog --force --quiet`,
    risky: '--edit-description',
    reading: BRANCHES,
    narrow: BRANCHES,
  },
  tag: { ...TAG, reading: TAGS, narrow: { ...TAG, judge: listsTags } },
  remote: { ...REMOTE, reading: REMOTES, narrow: { ...REMOTE, judge: verbAmong('get-url', 'show') } },
  fetch: { ...WRITES, flags: 'vqafmtnpPku46', options: FETCHED, risky: '-o= --upload-pack! --server-option= --stdin' },
  pull: {
    ...WRITES,
    flags: 'vqafktp46r',
    options: `-s= ${without(FETCHED, '--progress', '--no-progress', '--quiet', '--verbose')} ${MERGED}`,
    risky: '-o= -S? --upload-pack! --server-option= --gpg-sign? --edit --verify-signatures',
    checks: { '-s': strategy, '--strategy': strategy },
  },
  push: {
    ...WRITES,
    flags: 'vqdnfu46',
    options: `-o= --verbose --quiet --all --mirror --delete --tags --dry-run --porcelain --force --force-with-lease? --no-force-with-lease
    --force-if-includes --set-upstream --progress --no-progress --prune --no-verify --follow-tags --no-follow-tags --atomic --thin --no-thin
    --push-option= --ipv4 --ipv6 --recurse-submodules=`,
    risky: '--repo= --receive-pack! --exec! --signed?',
  },
  clone: {
    ...WRITES,
    check: text => (text.includes('::') ? revision(text) : undefined),
    flags: 'vqnls46',
    options: `-j= -o= -b= --verbose --quiet --progress --no-progress --no-checkout --bare --mirror --local --no-hardlinks --shared --recurse-submodules?
    --recursive? --jobs= --origin= --branch= --depth= --shallow-since= --single-branch --no-single-branch --no-tags --shallow-submodules
    --filter= --sparse --ipv4 --ipv6`,
    risky:
      '-u! -c= --upload-pack! --config= --template@ --reference@ --reference-if-able@ --separate-git-dir@ --server-option= --bundle-uri= --remote-submodules',
    judge: ({ operands: [, place] }) =>
      place ? concernAt(place.at, fileConcern(literalOf(place.word) ?? place.word.source)) : [],
  },
  init: {
    ...WRITES,
    flags: 'q',
    options: '-b= --quiet --bare --initial-branch= --shared? --object-format=',
    risky: '--template@ --separate-git-dir@',
  },
  clean: { ...WRITES, flags: 'qnfdxX', options: '-e= --quiet --dry-run --force --exclude=', risky: '-i --interactive' },
  rm: { ...WRITES, flags: 'nqfr', options: `${PATHS} --dry-run --quiet --cached --force --ignore-unmatch --sparse` },
  mv: { ...WRITES, flags: 'vnfk', options: '--verbose --dry-run --force --sparse' },
  apply: {
    ...WRITES,
    flags: '3NRvqz',
    options: `-p= -C= --exclude= --include= --no-add --stat --numstat --summary --check --index --cached --apply --3way --whitespace=
    --ignore-space-change --ignore-whitespace --reverse --unidiff-zero --reject --allow-overlap --verbose --quiet --inaccurate-eof
    --recount --directory= --allow-empty --intent-to-add`,
    risky: '--unsafe-paths --build-fake-ancestor>',
  },
  am: {
    ...WRITES,
    flags: '3qsukbcm',
    options: `-p= -C= --3way --quiet --signoff --keep --scissors --no-scissors --whitespace= --ignore-space-change --ignore-whitespace --directory=
    --exclude= --include= --patch-format= --reject --continue --resolved --skip --abort --quit --show-current-patch? --keep-cr --no-keep-cr
    --committer-date-is-author-date --ignore-date --empty= --allow-empty`,
    risky: '-i -S? --interactive --gpg-sign? --resolvemsg=',
  },
  'format-patch': {
    ...LOG,
    does: 'write',
    flags: 'nNskpq',
    options: `${without(LOGGED, '-n', '--cc')} -v= --numbered --no-numbered --signoff --stdout --cover-letter --suffix= --start-number= --reroll-count= --rfc?
    --subject-prefix= --keep-subject --no-binary --zero-commit --to= --cc= --from? --in-reply-to= --attach? --inline? --thread? --no-thread
    --base= --no-signature --no-stat`,
    risky: '-o= --output-directory= --output> --signature-file@ --ext-diff --textconv',
  },
  archive: {
    ...WRITES,
    does: 'read',
    flags: 'lv0123456789',
    options: '--list --verbose --format= --prefix= --worktree-attributes --mtime=',
    risky: '-o> --output> --remote= --exec! --add-file@ --add-virtual-file=',
    checks: { '--format': text => (/^(tar|zip|tgz|tar\.gz)$/.test(text) ? undefined : `'${text}' may name a program`) },
  },
  bisect: {
    ...WRITES,
    optionsFirst: true,
    subcommands: programs({
      'start bad new good old skip next reset log replay terms help': {
        ...WRITES,
        options: '--no-checkout --first-parent --term-new= --term-old=',
      },
      'run visualize view': RUNS,
    }),
  },
  submodule: {
    ...WRITES,
    optionsFirst: true,
    options: '--quiet',
    subcommands: programs({
      'status summary': { ...WRITES, does: 'read', options: '--cached --recursive --files --quiet', flags: 'n' },
      'add init deinit update set-branch set-url sync absorbgitdirs': {
        ...WRITES,
        flags: 'fqN',
        options: `-b= --force --branch= --name= --depth= --init --remote --no-fetch --checkout --merge --rebase --recursive --jobs= --single-branch
        --progress --all --default --quiet`,
        risky: '--reference@',
      },
      foreach: RUNS,
    }),
  },
  worktree: {
    ...WRITES,
    flags: 'fdqvz',
    options:
      '-b= -B= --force --detach --checkout --no-checkout --lock --quiet --track --no-track --guess-remote --porcelain --verbose --dry-run --expire= --orphan',
    reading: {
      ...WRITES,
      does: 'read',
      optionsFirst: true,
      subcommands: programs({
        list: { does: 'read', operands: 'none', flags: 'vz', options: '--porcelain --verbose --expire=' },
      }),
    },
  },
  reflog: { ...REFLOGS, reading: REFLOG, narrow: { ...REFLOGS, judge: showsReflog } },
  notes: {
    ...WRITES,
    flags: 'fq',
    options: '-m= -F@ -C= --ref= --message= --file@ --force --quiet --allow-empty --reuse-message=',
    risky: '-c= --reedit-message=',
  },
  gc: { ...WRITES, options: '--aggressive --auto --prune? --no-prune --quiet --force --keep-largest-pack' },
  'sparse-checkout': { ...WRITES, options: '--cone --no-cone --sparse-index --no-sparse-index --skip-checks' },
  'symbolic-ref': {
    ...SYMBOLIC,
    flags: 'qd',
    options: `${SYMBOLIC.options} -m= --delete`,
    reading: { ...SYMBOLIC, does: 'read', most: 1 },
    narrow: { ...SYMBOLIC, most: 1 },
  },
  'write-tree': { ...WRITES, options: '--missing-ok --prefix=' },
})
