import { inert } from '../../kernel/inert.ts'
import { jsonLine } from '../../kernel/json-line.ts'
import { openToolkit } from '../../toolkit.ts'
import { askOn } from './ask.ts'
import { exitCode } from './call.ts'
import { workspaceOf } from './find-workspace.ts'
import { say, type Terminal } from './terminal.ts'
import { EXIT, parse, UsageError } from './usage.ts'

/** `toolwright undo`: a person takes back what was done; their asking is the approval, but for places that always ask. */
export async function undo(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('undo', args, {
    list: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    yes: { type: 'boolean' },
  })
  if (positionals.length > 1) throw new UsageError('Give one id at most', 'undo')
  const kit = await openToolkit({
    root: workspaceOf(terminal, values),
    env: terminal.env,
    permissions: ['fs:write'],
    isBrief: true,
    ...(values.config !== undefined && { config: values.config }),
  })
  try {
    if (values.list) {
      const commits = kit.commits()
      if (values.json) say(terminal, jsonLine(commits))
      else if (commits.length === 0) say(terminal, 'There is nothing to undo.')
      else
        for (const { id, at, paths } of commits)
          say(terminal, `${id}  ${new Date(at).toISOString()}  ${paths.map(path => inert(path)).join(', ')}`)
      return EXIT.ok
    }
    const answerer = values.yes ? () => ({ answer: 'yes', by: '--yes' }) as const : askOn(terminal)
    if (answerer) kit.questions.attach(answerer)
    const [id] = positionals
    const { outcome, answer } = await kit.run('undo', id === undefined ? {} : { id }, {
      ...(values['dry-run'] && { dryRun: true }),
    })
    if (values.json) say(terminal, jsonLine(answer))
    else await (await import('./show-outcome.ts')).showOutcome(terminal, kit, 'undo', outcome)
    return exitCode(outcome, answer)
  } finally {
    await kit.close()
  }
}
