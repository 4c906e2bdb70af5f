import type { Connection } from '../../service/connect.ts'
import type { ResidentStatus } from '../../service/status.ts'
import { workspaceState } from '../../machine/state/directory.ts'
import { sanitize } from '../../kernel/sanitize.ts'
import { jsonLine } from '../../kernel/json-line.ts'
import { loadConfig } from '../../config/load.ts'
import { formatBytes } from '../render/format-bytes.ts'
import { workspaceOf } from './find-workspace.ts'
import { progressBar } from './progress-bar.ts'
import { painter, say, type Terminal } from './terminal.ts'
import { EXIT, parse, UsageError } from './usage.ts'

const START_MS = 30_000
const ANSWER_MS = 5000
const LOOK_MS = 100

/** `toolwright up`: starts the process that holds the index of this workspace, and waits until the index is built. */
export async function up(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('up', args, { stop: { type: 'boolean' }, status: { type: 'boolean' } })
  if (positionals.length > 0) throw new UsageError("'up' takes no arguments", 'up')
  if (values.stop && values.status) throw new UsageError('Give --stop or --status, not both', 'up')
  const state = workspaceState(workspaceOf(terminal, values), terminal.env)
  const { config } = await loadConfig(state.root, terminal.env, values)
  const [{ connect }, { ownBuild }, { placeOf }] = await Promise.all([
    import('../../service/connect.ts'),
    import('../../service/own-build.ts'),
    import('../../service/place.ts'),
  ])
  if (values.stop || values.status) {
    const line = await connect(placeOf(state.path, ownBuild()), ownBuild())
    if (values.stop) return stop(line, values.json === true, terminal)
    if (!line) return notRunning(state.root, values.json === true, terminal)
    return show(line, values.json === true, terminal)
  }
  const { ensureResident } = await import('../../service/start.ts')
  const settings = { root: state.root, key: state.key, ...config.resident }
  const line = await ensureResident({ state: state.path, env: terminal.env, settings, timeoutMs: START_MS })
  await untilBuilt(line, terminal)
  return show(line, values.json === true, terminal)
}

/** `toolwright down`: the same as `up --stop`. */
export function down(args: readonly string[], terminal: Terminal): Promise<number> {
  const { positionals } = parse('down', args, {})
  if (positionals.length > 0) throw new UsageError("'down' takes no arguments", 'down')
  return up([...args, '--stop'], terminal)
}

const statusOf = (line: Connection): Promise<ResidentStatus> =>
  line.ask<ResidentStatus>('status', {}, { timeoutMs: ANSWER_MS })

async function untilBuilt(line: Connection, terminal: Terminal): Promise<void> {
  const bar = progressBar(terminal, 'Reading files')
  try {
    const builtParts = new Set<string>()
    for (;;) {
      const { parts } = await statusOf(line)
      for (const { name, state } of parts) if (state === 'current') builtParts.add(name)
      // A current part may be behind again by now, because files keep changing.
      const open = parts.filter(({ name, failure }) => !builtParts.has(name) && failure === undefined)
      if (open.length === 0) return
      const [files, pending] = [sum(open.map(part => part.files)), sum(open.map(part => part.pending))]
      bar.show(files, files + pending)
      await new Promise(resolve => setTimeout(resolve, LOOK_MS))
    }
  } finally {
    bar.clear()
  }
}

async function show(line: Connection, json: boolean, terminal: Terminal): Promise<number> {
  const status = await statusOf(line)
  line.close()
  if (json) {
    say(terminal, jsonLine(status))
    return EXIT.ok
  }
  const paint = painter(terminal)
  const { pid, version, root, uptimeMs, memoryBytes, clients, idleMs, parts, processes } = status
  say(
    terminal,
    `${paint('green', '✓')} Process ${pid} (toolwright ${version}) holds ${sanitize(root)}, since ${inWords(uptimeMs)}`,
  )
  for (const part of parts) {
    const sizeText = part.bytes === undefined ? '' : `, ${formatBytes(part.bytes)}`
    const state =
      part.failure === undefined ? part.state : `failed (${sanitize(part.failure)}): searches read the files`
    say(terminal, `  ${part.name}: ${countOf(part.files, 'file')}${sizeText}, ${state}`)
  }
  for (const { name, pid: server, memoryBytes: serverBytes } of processes)
    say(terminal, `  ${sanitize(name)}: process ${server} answers about code, ${formatBytes(serverBytes)}`)
  const others = countOf(clients - 1, 'other client')
  say(terminal, `  ${formatBytes(memoryBytes)} of memory, ${others}; it ends after ${inWords(idleMs)} without any`)
  return EXIT.ok
}

function notRunning(root: string, json: boolean, terminal: Terminal): number {
  if (json) say(terminal, jsonLine(null))
  else say(terminal, `No process holds ${sanitize(root)}: searches read the files. toolwright up starts one`)
  return EXIT.failed
}

async function stop(line: Connection | undefined, json: boolean, terminal: Terminal): Promise<number> {
  await line?.ask('leave', {}, { timeoutMs: ANSWER_MS })
  if (json) say(terminal, jsonLine({ stopped: line?.pid ?? null }))
  else say(terminal, line ? `Process ${line.pid} was asked to end` : 'There is none to stop')
  line?.close()
  return EXIT.ok
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

const countOf = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`

function inWords(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 120) return countOf(seconds, 'second')
  return seconds < 7200 ? countOf(Math.round(seconds / 60), 'minute') : countOf(Math.round(seconds / 3600), 'hour')
}
