import { projectConfig, PROJECT_FILE } from '../../machine/state/config-file.ts'
import { openJournal } from '../../machine/journal/journal.ts'
import type { TrustRecord } from '../../machine/journal/record.ts'
import { configDirectory, workspaceState, type WorkspaceState } from '../../machine/state/directory.ts'
import { listTrust, pinTrust, trustOf, unpin } from '../../machine/state/trust.ts'
import { parseConfig } from '../../config/file.ts'
import { sanitize } from '../../kernel/sanitize.ts'
import { workspaceOf } from './find-workspace.ts'
import { say, type Terminal } from './terminal.ts'
import { EXIT, parse, UsageError } from './usage.ts'

/** `toolwright trust`: pins the hash of the project's configuration. Any later change needs trust again. */
export async function trust(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('trust', args, { revoke: { type: 'boolean' }, list: { type: 'boolean' } })
  if (positionals.length > 0) throw new UsageError("'trust' takes no arguments", 'trust')
  const home = configDirectory(terminal.env)
  if (values.list) {
    const pins = listTrust(home)
    for (const { file, hash, by, at } of pins)
      say(terminal, `${sanitize(file)}  ${hash.slice(0, 12)}  ${at}  ${sanitize(by)}`)
    if (pins.length === 0) say(terminal, 'No project is trusted.')
    return EXIT.ok
  }
  const state = workspaceState(workspaceOf(terminal, values), terminal.env)
  const { root } = state
  const by = terminal.env['USER'] ?? 'user'
  const projectFile = projectConfig(root)
  if (values.revoke) {
    const file = projectFile?.path ?? `${root}/${PROJECT_FILE}`
    const wasTrusted = unpin(home, file)
    if (wasTrusted) note(state, { change: 'unpinned', file, by })
    say(terminal, wasTrusted ? 'No longer trusted.' : 'It was not trusted.')
    return EXIT.ok
  }
  if (!projectFile) throw new UsageError(`There is no ${PROJECT_FILE} in ${root}`, 'trust')
  await parseConfig(projectFile.text, projectFile.path)
  if (trustOf(home, projectFile.path, projectFile.hash) === 'trusted') {
    say(terminal, 'It is already trusted in its current form.')
    return EXIT.ok
  }
  // Recorded first: an unrecorded trust would be worse than a record without one.
  note(state, { change: 'pinned', file: projectFile.path, sha256: projectFile.hash, by })
  pinTrust(home, projectFile.path, projectFile.hash, { by, at: new Date().toISOString() })
  say(
    terminal,
    `Trusted ${sanitize(projectFile.path)} as it is now (sha256 ${projectFile.hash.slice(0, 12)}…). Any change to it needs trust again.`,
  )
  return EXIT.ok
}

function note(
  { journal: directory, journalLock: lock, head: headFile }: WorkspaceState,
  entry: Omit<TrustRecord, 'type'>,
) {
  const journal = openJournal(directory, { lock, headFile })
  try {
    journal.append({ type: 'trust', ...entry }, { durable: true })
  } finally {
    journal.close()
  }
}
