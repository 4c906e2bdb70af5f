import { pathsInHistory } from '../../machine/process/git-history.ts'
import type { Environment } from '../../machine/state/directory.ts'
import { answersWithAskedChanges, rulesWithAskedChanges } from '../../guards/policy/asked-changes.ts'
import { hiddenBy } from '../../guards/policy/hidden-paths.ts'
import type { Toolkit } from '../../toolkit.ts'
import type { Finding } from './doctor-finding.ts'

/** Reports how commands are confined here, and which denied files a command could still read. */
export async function commands(kit: Toolkit, env: Environment): Promise<Finding[]> {
  const { usable, words, cause, fix } = await kit.commands.report()
  const isOff = kit.config.config.sandbox === 'off'
  const about = 'Commands'
  if (!usable)
    return [
      {
        state: 'limited',
        about,
        text: `they are refused: ${cause ?? 'there is no sandbox'}; fix it with: ${fix ?? ''}`,
      },
    ]
  const confinement: Finding = { state: isOff ? 'bad' : 'good', about, text: words.join('; ') }
  return [confinement, ...(isOff ? [] : askedChanges(kit)), ...history(kit, env)]
}

const SHOWN = 5

/** Reports rules whose commands run without a question and then ask about their changes. */
function askedChanges({ policy, workspace: { approvals } }: Toolkit): Finding[] {
  const answers = [...approvals.workspace.list(), ...approvals.user.list()]
  const rules = [...rulesWithAskedChanges(policy()), ...answersWithAskedChanges(policy(), answers)]
  if (rules.length === 0) return []
  const names = rules.slice(0, SHOWN).map(({ command, id }) => `'${command}' (${id})`)
  const more = rules.length > SHOWN ? ` and ${rules.length - SHOWN} more` : ''
  return [
    {
      state: 'limited',
      about: 'Policy',
      text: `${names.join(', ')}${more} run without a question, but their changes are asked about: list allowed files in "writes" of the rule, or answer "always" when asked about the files`,
    },
  ]
}

/** Committed content stays readable in the repository's objects, even if hidden in the tree. */
function history({ root, policy }: Toolkit, env: Environment): Finding[] {
  const hides = hiddenBy(policy())
  if (!hides) return []
  const about = 'History'
  const committedPaths = pathsInHistory(root, env)
  if (committedPaths === undefined) return []
  const hiddenPaths = committedPaths.filter(path => hides.matches(path))
  if (hiddenPaths.length === 0)
    return [{ state: 'good', about, text: 'no path that a rule hides is in the git history' }]
  const names = hiddenPaths.slice(0, SHOWN).join(', ')
  const more = hiddenPaths.length > SHOWN ? ` and ${hiddenPaths.length - SHOWN} more` : ''
  return [
    {
      state: 'limited',
      about,
      text: `${names}${more} must not be read, but was committed once: any command that runs git can find it in the history`,
    },
  ]
}
