import type { GitHistory } from '../../kernel/git-history.ts'
import { quoteArgv } from '../../kernel/shell-quote.ts'
import type { ProgramStart, StartVerdict } from '../../kernel/start-rules.ts'
import { familyName } from './family-name.ts'
import { mayBeAlias, settingsOf, subcommandAt } from './programs/git.ts'
import { programName } from './program-name.ts'
import { shownHistory, type ReadRule } from './shown-history.ts'

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Scripts and programs besides git that start git for what they show. */
const OUTSIDE = names('lfs subtree filter-branch mergetool request-pull quiltimport send-email instaweb gui citool svn')

/** The remote side of a push and a fetch, and the programs that store what they transfer. */
const EXCHANGES = names('receive-pack upload-pack send-pack index-pack unpack-objects')

/** What git starts on its own, with the commands that need it; those were judged when they started. */
const HELPERS: readonly (readonly [subcommands: ReadonlySet<string>, parents: ReadonlySet<string>])[] = [
  [names('pack-objects'), names('gc repack maintenance push send-pack fetch pull upload-pack clone')],
  [names('rerere'), names('gc maintenance')],
  [names('reset'), names('stash')],
  [names('clone checkout reset merge rebase read-tree'), names('submodule submodule--helper')],
]

/** Variables that change the meaning of paths, or send content elsewhere. */
const CHANGES = /^GIT_(LITERAL_PATHSPECS|GLOB_PATHSPECS|NOGLOB_PATHSPECS|ICASE_PATHSPECS|WORK_TREE|EXTERNAL_DIFF)$/

/** Judges the git commands of one call in order, by what they show of unreadable files. */
export function historyStarts<Rule extends ReadRule & { readonly id: string; readonly why?: string | undefined }>(
  unreadable: readonly Rule[],
  history: GitHistory,
): (start: ProgramStart) => StartVerdict | undefined {
  const earlier = new Set<string>()
  return start => {
    const [, ...sub] = familyName(programName(start.path))
    const words = ['git', ...sub, ...start.args]
    const subcommand = words[subcommandAt(words)]
    if (subcommand === undefined) return undefined
    const before = [...earlier]
    earlier.add(subcommand)
    // An alias is judged when git starts its command.
    const isElsewhere =
      OUTSIDE.has(subcommand) ||
      EXCHANGES.has(subcommand) ||
      (mayBeAlias(subcommand) && !settingsOf(words).some(corrects))
    if (isElsewhere) return undefined
    const { directory, variables, parent } = start.place?.() ?? NOWHERE
    if (isHelper(subcommand, parent)) return undefined
    const set = variables.filter(name => CHANGES.test(name)).map(name => `${name}=1 `)
    const resource = `${set.join('')}${quoteArgv(words)}`
    const historyVerdict = shownHistory({ resource, cwd: directory ?? '/', earlier: before }, unreadable, history)
    return (
      historyVerdict && {
        verdict: historyVerdict.verdict,
        why: `${historyVerdict.what}, and ${historyVerdict.rule.why ?? `rule ${historyVerdict.rule.id}`}`,
        command: quoteArgv(words).slice(0, LONGEST),
        rule: historyVerdict.rule.id,
      }
    )
  }
}

const NOWHERE = { directory: undefined, variables: [], parent: '' }
const LONGEST = 300

const corrects = (setting: string): boolean => /autocorrect/i.test(setting)

function isHelper(subcommand: string, parent: string): boolean {
  const words = parent.split(' ')
  const [family, ...sub] = familyName(programName(words[0] ?? ''))
  if (family !== 'git') return false
  const all = ['git', ...sub, ...words.slice(1)]
  const outer = all[subcommandAt(all)] ?? ''
  return HELPERS.some(([subcommands, parents]) => subcommands.has(subcommand) && parents.has(outer))
}
