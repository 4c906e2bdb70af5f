import { pathsInHistory } from '../../engines/process/git-history.ts'
import type { Environment } from '../../engines/state/directory.ts'
import { hiddenBy } from '../../guards/policy/hidden.ts'
import { sessionPolicy } from '../../guards/policy/session-policy.ts'
import type { Toolkit } from '../../toolkit.ts'
import type { Finding } from './doctor-finding.ts'

/** What holds commands here, and what a command could still read although a rule denies it. */
export async function commands(kit: Toolkit, env: Environment): Promise<Finding[]> {
  const { usable, words, cause, mend } = await kit.commands.report()
  const isOff = kit.config.config.sandbox === 'off'
  const about = 'Commands'
  if (!usable)
    return [
      {
        state: 'limited',
        about,
        text: `they are refused: ${cause ?? 'there is no sandbox'}; mend it with: ${mend ?? ''}`,
      },
    ]
  return [{ state: isOff ? 'bad' : 'good', about, text: words.join('; ') }, ...history(kit, env)]
}

const SHOWN = 5

/** What is committed stays readable in the repository's objects, whatever is hidden in the tree. */
function history({ root, config }: Toolkit, env: Environment): Finding[] {
  const hides = hiddenBy(sessionPolicy(config.config, {}))
  if (!hides) return []
  const about = 'History'
  const known = pathsInHistory(root, env)
  if (known === undefined) return []
  const found = known.filter(path => hides.matches(path))
  if (found.length === 0)
    return [{ state: 'good', about, text: 'no path that a rule keeps from being read is in the history of git' }]
  const names = found.slice(0, SHOWN).join(', ')
  const more = found.length > SHOWN ? ` and ${found.length - SHOWN} more` : ''
  return [
    {
      state: 'limited',
      about,
      text: `${names}${more} must not be read, but was committed once: whoever may run git can find it in the history`,
    },
  ]
}
