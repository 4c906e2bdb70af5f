import { ToolError } from '../../kernel/error.ts'
import type { CommandParts, CommandPlace } from './command-place.ts'
import { findRepository } from './overlay/find-repository.ts'

/** Throws if a background command may not run here, because it writes to the workspace itself. */
export function ensureDirect({ off }: Pick<CommandParts, 'off'>, place: CommandPlace): void {
  refuseUnstaged(place, 'A background command writes to the workspace itself')
  if (off) return
  if (place.hides)
    throw new ToolError(
      'denied',
      'Policy hides files from commands, but cannot hide one that is replaced while a background command runs',
      {
        hint: 'Run it in the foreground, or have the rule changed',
      },
    )
  const { path } = place.root
  if (findRepository(path)?.workTree !== path) throw noRepository()
}

/** A repository made by a command would be followed by the user's own git, with any programs it names. */
const noRepository = (): ToolError =>
  new ToolError(
    'unavailable',
    'A background command writes to the workspace itself, which has no repository of its own to protect',
    { hint: 'Run it in the foreground, or make the workspace a repository first: git init' },
  )

/** Refuses without a separate tree: a preview must change nothing, and staged changes must be visible. */
export function refuseUnstaged({ preview, staging, stagedOnly }: CommandPlace, what: string): void {
  if (stagedOnly)
    throw new ToolError('denied', `${what}, where its changes are not checked for new errors`, {
      hint: 'The setting "effects.refuse" demands that every change be judged: run it in the foreground, in the sandbox',
    })
  if (preview)
    throw new ToolError('unavailable', `${what}: it cannot be tried in a dry run`, {
      hint: 'Make the call without the dry run, if you mean it',
    })
  if (!staging.isEmpty())
    throw new ToolError('conflict', `${what}, and would not see staged changes`, {
      hint: 'Commit the transaction or roll it back first',
    })
}
