import { fileConcern } from '../concern.ts'
import { staysInside } from '../stays-inside.ts'
import { GIT_READING } from './git-reading.ts'
import { GIT_WRITING } from './git-writing.ts'
import { programs, type Program } from './program.ts'
import { literalWord, readArguments } from './read-arguments.ts'
import type { Reading } from './reading.ts'

/** Options before the subcommand, as git reads them. Most select another repository or configuration. */
const GIT: Program = {
  does: 'read',
  operands: 'texts',
  style: 'words',
  optionsFirst: true,
  endless: true,
  options: '-C= -P --no-pager --no-optional-locks --literal-pathspecs --no-replace-objects',
  checks: { '-C': fileConcern },
  risky: `-c= -p -h -v --help --version --paginate --git-dir= --work-tree= --namespace= --super-prefix= --config-env= --attr-source= --shallow-file=
  --exec-path? --html-path --man-path --info-path --bare --no-lazy-fetch --no-advice --glob-pathspecs --noglob-pathspecs
  --icase-pathspecs --no-literal-pathspecs --list-cmds?`,
  subcommands: new Map([...GIT_READING, ...GIT_WRITING]),
}

export const GIT_PROGRAMS = programs({ git: GIT })

/** Git's own commands. Any other name is an alias, an external program, or a typo that git may correct. */
const OWN: ReadonlySet<string> = new Set(
  `add am annotate apply archive bisect blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap check-ref-format
  checkout checkout-index cherry cherry-pick citool clean clone column commit commit-graph commit-tree config count-objects credential
  credential-cache credential-store daemon describe diagnose diff diff-files diff-index diff-tree difftool fast-export fast-import fetch
  fetch-pack filter-branch fmt-merge-msg for-each-ref for-each-repo format-patch fsck gc get-tar-commit-id grep gui hash-object help hook
  http-backend http-fetch http-push imap-send index-pack init init-db instaweb interpret-trailers lfs log ls-files ls-remote ls-tree
  mailinfo mailsplit maintenance merge merge-base merge-file merge-index merge-tree mergetool mktag mktree multi-pack-index mv name-rev
  notes pack-objects pack-redundant pack-refs patch-id prune prune-packed pull push quiltimport range-diff read-tree rebase receive-pack
  reflog remote repack replace request-pull rerere reset restore rev-list rev-parse revert rm send-email send-pack shell shortlog show
  show-branch show-index show-ref sparse-checkout stage stash status stripspace submodule subtree svn switch symbolic-ref tag unpack-file
  unpack-objects update-index update-ref update-server-info upload-archive upload-pack var verify-commit verify-pack verify-tag version
  whatchanged worktree write-tree fsck-objects pickaxe merge-ours merge-recursive merge-subtree`.split(/\s+/),
)

/** Git's own commands, as git spells them. */
export const GIT_COMMANDS: Iterable<string> = OWN

/** Reports whether the name may be an alias. */
export const mayBeAlias = (subcommand: string): boolean => !OWN.has(subcommand)

const readGit = (words: readonly string[]): Reading => readArguments(GIT, words.map(literalWord))

/** Returns the index of the subcommand, or the number of words if there is none. */
export const subcommandAt = (words: readonly string[]): number => readGit(words).operands[0]?.at ?? words.length

/** Returns the index of an unknown option before the subcommand: its value may look like the subcommand. */
export const unknownAt = (words: readonly string[]): number | undefined => readGit(words).doubts[0]?.at

/** Returns the settings of options before the subcommand: `-c name=value`. */
export const settingsOf = (words: readonly string[]): readonly string[] =>
  readGit(words)
    .options.filter(({ name }) => name === '-c')
    .flatMap(({ values }) => values.map(({ word }) => word.source))

/** Counts the leading options without effect, and those that select another directory of the workspace. */
export function harmlessOptions(words: readonly (string | undefined)[], and?: 'places'): number {
  let count = 0
  for (const { at, name, isRisky, values } of readGit(words.map(word => word ?? '')).options) {
    const place = name === '-C' ? words[values[0]?.at ?? -1] : undefined
    const isHarmless = name === '-C' ? and === 'places' && place !== undefined && staysInside(place) : !isRisky
    if (!isHarmless || at !== count + 1) break
    count += 1 + values.length
  }
  return count
}
