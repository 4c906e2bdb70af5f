import { mergeConfig } from '../../config/merge.ts'
import { parseConfig } from '../../config/file.ts'
import { collectGarbage } from '../../machine/upkeep/gc.ts'
import { namedConfig, userConfig } from '../../machine/state/config-file.ts'
import { configDirectory, ensureOwnHome, stateDirectory } from '../../machine/state/directory.ts'
import { pruneWorkspace } from '../../machine/upkeep/prune-workspace.ts'
import { sanitize } from '../../kernel/sanitize.ts'
import { jsonLine } from '../../kernel/json-line.ts'
import { formatBytes } from '../render/format-bytes.ts'
import { say, warn, type Terminal } from './terminal.ts'
import { EXIT, parse, UsageError } from './usage.ts'

const DAY_MS = 86_400_000

/** `toolwright gc`: removes expired data of all the user's workspaces, then the oldest until the rest fits. */
export async function gc(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values } = parse('gc', args, { 'max-bytes': { type: 'string' }, 'max-age': { type: 'string' } })
  const user = values.config === undefined ? userConfig(configDirectory(terminal.env)) : namedConfig(values.config)
  const { state } = mergeConfig(user && (await parseConfig(user.text, user.path))).config
  const home = stateDirectory(terminal.env)
  ensureOwnHome(home)
  const report = collectGarbage(home, {
    now: Date.now(),
    maxBytes: values['max-bytes'] === undefined ? state.maxBytes : positive(values['max-bytes'], '--max-bytes'),
    maxAgeMs: values['max-age'] === undefined ? state.maxAgeMs : positive(values['max-age'], '--max-age') * DAY_MS,
    pruneCommits: pruneWorkspace,
  })
  if (values.json) say(terminal, jsonLine(report))
  else {
    say(terminal, `State: ${formatBytes(report.before)} before, ${formatBytes(report.after)} now`)
    for (const { what, bytes } of report.removed) say(terminal, `  ${sanitize(what)}: ${formatBytes(bytes)} freed`)
    for (const problem of report.problems) warn(terminal, `  Could not be cleaned up: ${sanitize(problem)}`)
  }
  return report.problems.length > 0 ? EXIT.failed : EXIT.ok
}

function positive(text: string, option: string): number {
  const value = Number(text)
  if (Number.isFinite(value) && value >= 0) return value
  throw new UsageError(`${option} wants a number, not '${text}'`, 'gc')
}
