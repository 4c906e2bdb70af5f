import { inert } from '../../kernel/inert.ts'
import { jsonLine } from '../../kernel/json-line.ts'
import { openToolkit, type Toolkit } from '../../toolkit.ts'
import { committedSince } from '../../machine/process/committed-since.ts'
import { newestUndo, undoneCommits } from '../../machine/workspace/commit/list-undo.ts'
import { askOn, typedLine } from './ask.ts'
import { exitCode } from './call.ts'
import { workspaceOf } from './find-workspace.ts'
import { forgetTyped } from './forget-typed.ts'
import { OWN_OPTIONS } from './own-options.ts'
import { sayPaged } from './pager.ts'
import { painter, say, warn, type Terminal } from './terminal.ts'
import { EXIT, parse, UsageError } from './usage.ts'

const EFFECTS: ReadonlySet<string> = new Set(['off', 'quick', 'complete'])

/** `toolwright undo`: a person takes back what was done; their asking is the approval, but for places that always ask. */
export async function undo(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('undo', args, OWN_OPTIONS.undo)
  if (positionals.length > 1) throw new UsageError('Give one id at most', 'undo')
  const { effects } = values
  if (effects !== undefined && !EFFECTS.has(effects))
    throw new UsageError('--effects takes off, quick or complete', 'undo')
  const kit = await openToolkit({
    root: workspaceOf(terminal, values),
    env: terminal.env,
    permissions: ['fs:write'],
    isBrief: true,
    ...(values.config !== undefined && { config: values.config }),
  })
  try {
    if (values.list) {
      if (values.json) say(terminal, jsonLine(kit.commits()))
      else {
        const { undoListLines } = await import('./undo-list.ts')
        sayPaged(terminal, undoListLines(kit, painter(terminal), values).join('\n'))
      }
      return EXIT.ok
    }
    const answerer = values.yes ? () => ({ answer: 'yes', by: '--yes' }) as const : askOn(terminal)
    if (answerer) kit.questions.attach(answerer)
    const [id] = positionals
    const refused = values['dry-run'] || values.yes ? undefined : await refuseCommitted(kit, id, terminal)
    if (refused !== undefined) return refused
    const { outcome, answer } = await kit.run(
      'undo',
      { ...(id !== undefined && { id }), ...(effects !== undefined && { effects }) },
      {
        ...(values['dry-run'] && { dryRun: true }),
      },
    )
    if (values.json) say(terminal, jsonLine(answer))
    else await (await import('./show-outcome.ts')).showOutcome(terminal, kit, 'undo', outcome, { values })
    return exitCode(outcome, answer)
  } finally {
    await kit.close()
  }
}

/** What git has by now is asked about: undo changes the files and leaves the commit. Gives the exit code of a no. */
async function refuseCommitted(kit: Toolkit, id: string | undefined, terminal: Terminal): Promise<number | undefined> {
  const { store } = kit.workplace
  const wanted = id ?? newestUndo(store)
  const commit = kit.commits().find(each => each.id === wanted)
  if (!commit) return undefined
  const since = committedSince(kit.root, commit.paths, commit.at, terminal.env)
  if (since === undefined || undoneCommits(store).has(commit.id)) return undefined
  warn(terminal, `Files of ${commit.id} were committed to git since then: ${inert(since, { max: 200 })}`)
  warn(terminal, '  Undo changes the files and leaves the commit in git as it is.')
  if (!terminal.stderr.isTTY || !terminal.stdin.isTTY) {
    warn(terminal, '  Give --yes to undo it all the same.')
    return EXIT.refused
  }
  if (!(await forgetTyped(terminal))) return EXIT.refused
  const typed = await typedLine(terminal, 'Approve? (y/n): ')
  return /^y(?:es)?$/i.test(typed.trim()) ? undefined : EXIT.refused
}
