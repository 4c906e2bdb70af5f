import { openSync, readFileSync } from 'node:fs'
import { ToolError } from '../../../kernel/error.ts'
import { openCell } from './cgroup.ts'
import { chain, innerDrop } from './chain.ts'
import { CELLS } from './descriptors.ts'
import { firstShell } from './first-shell.ts'
import { forwarderAwaited, forwarderScript, LISTENING, proxyVariables } from './forwarder.ts'
import { innerScript, type InnerOptions } from './inner-script.ts'
import { launch } from './launch.ts'
import { linuxReport } from './linux-report.ts'
import { probe, probeOverlay, type Probed, type Usable } from './probe.ts'
import { endSurvivors, recordRunning } from './running-records.ts'
import { running } from './running.ts'
import { writeSeeds, clockVariables, SEEDS, withSeeds } from './seeds.ts'
import { situationOf } from './situation.ts'
import { openStandIns } from './stand-ins.ts'
import { startInTerminal } from './terminal.ts'
import type { Sandbox, SandboxParts, SandboxReport, SandboxSpec, Started } from './types.ts'
import { visiblePaths, toolVariables } from './visible-paths.ts'
import { writtenBytes } from './written-bytes.ts'
import { HOME } from './places.ts'

/** Runs each command in bubblewrap with our own argument list. */
export function linuxSandbox(parts: SandboxParts): Sandbox {
  const situation = situationOf(parts.root)
  let overlay: boolean | undefined
  let visible: readonly string[] | undefined
  const tools = () => (visible ??= visiblePaths({ ...parts, situation, more: parts.visible }))
  const probeNow = (): Probed => {
    endSurvivors()
    const probeResult = probe(situation, parts.root)
    return probeResult.usable && !parts.cgroup ? { ...probeResult, cgroup: undefined } : probeResult
  }
  const overlayWorks = (usable: Usable) => (overlay ??= probeOverlay(usable, situation, parts))
  return {
    report(): SandboxReport {
      const probeResult = probeNow()
      if (!probeResult.usable)
        return {
          usable: false,
          situation: 'none',
          overlay: false,
          cgroup: false,
          words: [],
          cause: probeResult.cause,
          fix: probeResult.fix,
        }
      const facts = { overlay: overlayWorks(probeResult), cgroup: probeResult.cgroup !== undefined }
      const words = linuxReport({ ...probeResult, situation: situation.name, overlay: facts.overlay, visible: tools() })
      return { usable: true, situation: situation.name, ...facts, words }
    },
    start(spec) {
      refuseWideRoot(spec)
      refuseUnspeakable(spec)
      const probeResult = probeNow()
      if (!probeResult.usable)
        throw new ToolError('unavailable', `Commands cannot run here: ${probeResult.cause}`, {
          hint: `Fix it with: ${probeResult.fix}`,
        })
      return startWith(spec, probeResult)
    },
  }

  function startWith(spec: SandboxSpec, { bubblewrap, abilities, cgroup }: Usable): Started {
    const memoryCounted = cgroup?.memory === true
    const bytesWritten = writtenBytes(spec.tree, spec.limits.writtenBytes)
    const env = commandEnvironment(spec, { path: parts.path, home: parts.home, visible: tools() })
    const standIns = spec.starts && openStandIns(spec.starts, { ...parts, visible: tools() }, situation)
    // The line's own programs are already judged; our programs bypass the stand-ins.
    const programPlace = (program: string) => standIns?.own(program) ?? program
    const [program = '', ...args] = spec.argv
    const forwarder = spec.network ? forwarderScript(programPlace) : ''
    const facts = { situation, abilities, visible: tools(), env, bubblewrap, memoryCounted }
    const seeds = spec.fixed ? writeSeeds() : undefined
    const common = { spec, ...facts, tellsInit: true, standIns, seeds: seeds?.path }
    const shell = [...innerDrop(situation, abilities, programPlace), programPlace(firstShell(abilities)), '-c']
    const inside = (options: InnerOptions) => [
      ...shell,
      innerScript(spec.limits, options),
      'sh',
      programPlace(program),
      ...args,
    ]
    const cell = cgroup && openCell(cgroup, spec.limits)
    const serve = standIns?.serve
    const note = recordRunning()
    const close = () => {
      standIns?.close()
      seeds?.remove()
    }
    const closeAtExit = (result: Started): Started => {
      result.exit.then(close, close)
      return result
    }
    try {
      if (spec.terminal) {
        const waiting = forwarder && `${forwarder}\n${forwarderAwaited(programPlace)}`
        const first = inside({ first: true, gate: false, enters: [], forwarder: waiting })
        return closeAtExit(
          startInTerminal({
            ...common,
            command: first,
            cell,
            written: bytesWritten,
            note,
            serve,
            terminal: spec.terminal,
          }),
        )
      }
      const entries = cell?.quick === true ? cell.entries : []
      const enters = CELLS.slice(0, entries.length)
      const { argv, given, remove } = chain(common, inside({ first: true, gate: true, enters, forwarder }))
      try {
        for (const [at, fd] of enters.entries()) given.set(fd, openSync(entries[at] ?? '', 'w'))
        const launchedProcess = launch({
          argv,
          given,
          stdin: spec.stdin,
          whenReady: spec.network ? whenForwarding : atOnce,
        })
        const result = running(launchedProcess, spec.limits, cell, {
          joins: cell?.quick === false,
          written: bytesWritten,
          note,
          serve,
        })
        result.exit.then(remove, remove)
        return closeAtExit(result)
      } catch (error) {
        remove()
        throw error
      }
    } catch (error) {
      note.remove()
      cell?.remove()
      close()
      throw error
    }
  }
}

const atOnce = (_: number, tell: () => void): void => tell()

const FORWARDER_MS = 5000

/** Delays the command until the way to our proxy is open. */
function whenForwarding(init: number, tell: () => void): void {
  const until = performance.now() + FORWARDER_MS
  const look = () => {
    if (isListening(init) || performance.now() > until) return tell()
    setTimeout(look, 2)
  }
  look()
}

function isListening(init: number): boolean {
  try {
    return LISTENING.test(readFileSync(`/proc/${init}/net/tcp`, 'latin1'))
  } catch {
    return false
  }
}

const TOO_WIDE = new Set([
  '/',
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/etc',
  '/proc',
  '/sys',
  '/dev',
  '/run',
  '/tmp',
  '/var',
  '/home',
])

function refuseWideRoot({ root }: SandboxSpec): void {
  if (TOO_WIDE.has(root))
    throw new ToolError(
      'unavailable',
      `Commands cannot run with ${root} as the workspace: nothing would stay hidden from them`,
      {
        hint: 'Open a directory below it as the workspace',
      },
    )
}

/** Refuses words that the kernel cannot pass to a program: with a NUL, or too long. */
function refuseUnspeakable({ argv }: SandboxSpec): void {
  if (argv.length === 0 || argv.some(word => word.includes('\0')))
    throw new ToolError('invalid_input', 'A command is at least one word, and no word holds a NUL', {
      hint: 'Give the program and its arguments as separate words',
    })
  if (argv.some(word => Buffer.byteLength(word) >= LONGEST_WORD))
    throw new ToolError('too_large', `A word of the command is longer than ${LONGEST_WORD} bytes`, {
      hint: 'Write it to a file, and give the file to the program',
    })
}

const LONGEST_WORD = 128 * 1024

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Builds the command's complete environment: given variables, and those that inside paths require. */
function commandEnvironment(
  spec: SandboxSpec,
  tools: { readonly path: string; readonly home: string; readonly visible: readonly string[] },
): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(spec.env)) {
    // Other names pass functions to a shell, and a NUL would end the argument early.
    if (NAME.test(name) && !value.includes('\0')) continue
    throw new ToolError('invalid_input', `'${name}' cannot be set as an environment variable`, {
      hint: 'Names are letters, digits and underscores; values hold no NUL',
    })
  }
  return {
    PATH: tools.path,
    ...toolVariables(tools.home, tools.visible),
    ...(spec.fixed ? { ...clockVariables(), ...withSeeds(spec.env, SEEDS) } : spec.env),
    HOME,
    TMPDIR: '/tmp',
    USER: 'user',
    LOGNAME: 'user',
    ...(spec.network && proxyVariables(spec.network.outside)),
  }
}
