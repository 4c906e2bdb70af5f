import { jsonLine } from '../../kernel/json-line.ts'
import { exitCode } from './call.ts'
import { hereIn, workspaceOf } from './find-workspace.ts'
import { OWN_OPTIONS } from './own-options.ts'
import { sayPaged } from './pager.ts'
import { inSession, runOptions } from './session.ts'
import { painter, say, type Terminal } from './terminal.ts'
import { EXIT, parse, UsageError } from './usage.ts'

const EFFECTS: ReadonlySet<string> = new Set(['off', 'quick', 'complete'])

/** `toolwright undo`: a person reverts a change. The command is the approval, except for what always asks. */
export async function undo(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('undo', args, OWN_OPTIONS.undo)
  if (positionals.length > 1) throw new UsageError('Give one id at most', 'undo')
  const { effects } = values
  if (effects !== undefined && !EFFECTS.has(effects))
    throw new UsageError('--effects takes off, quick or complete', 'undo')
  const root = workspaceOf(terminal, values)
  return inSession({ root, values, permissions: ['fs:write'], isOneCall: true }, terminal, async kit => {
    if (values.list) {
      if (values.json) say(terminal, jsonLine(kit.commits()))
      else {
        const { undoListLines } = await import('./undo-list.ts')
        sayPaged(terminal, undoListLines(kit, painter(terminal), values).join('\n'))
      }
      return EXIT.ok
    }
    const typedCommand = { name: 'undo', here: hereIn(root, terminal.cwd), inOptions: (text: string) => text }
    const [id] = positionals
    const { task } = values
    if (id !== undefined && task !== undefined) throw new UsageError('Give an id or --task, not both', 'undo')
    const { outcome, answer } = await kit.run(
      'undo',
      {
        ...(id !== undefined && { id }),
        ...(task !== undefined && { task }),
        ...(effects !== undefined && { effects }),
      },
      runOptions(values),
    )
    if (values.json) say(terminal, jsonLine(answer))
    else
      await (
        await import('./show-outcome.ts')
      ).showOutcome(terminal, kit, 'undo', outcome, { values, typed: typedCommand })
    return exitCode(outcome, answer)
  })
}
