import { openSync, readFileSync } from 'node:fs'
import { ToolError } from '../../../kernel/error.ts'
import { openCell } from './cgroup.ts'
import { chain, innerDrop } from './chain.ts'
import { commandEnvironment } from './command-environment.ts'
import { CELL } from './descriptors.ts'
import { FORWARDER_AWAITED, forwarderScript, LISTENING } from './forwarder.ts'
import { innerScript, type InnerOptions } from './inner-script.ts'
import { launch } from './launch.ts'
import { linuxWords } from './linux-words.ts'
import { probe, probeOverlay, type Probed, type Usable } from './probe.ts'
import { running } from './running.ts'
import { situationOf } from './situation.ts'
import { startInTerminal } from './terminal.ts'
import type { Sandbox, SandboxParts, SandboxReport, SandboxSpec, Started } from './types.ts'
import { visiblePaths } from './visible-paths.ts'
import { writtenBytes } from './written-bytes.ts'

/** bubblewrap with an argument list of our own, around one command each. */
export function linuxSandbox(parts: SandboxParts): Sandbox {
  const situation = situationOf(parts.root)
  let overlay: boolean | undefined
  let visible: readonly string[] | undefined
  const tools = () => (visible ??= visiblePaths({ ...parts, situation, more: parts.visible }))
  const tried = (): Probed => {
    const probed = probe(situation, parts.root)
    return probed.usable && !parts.cgroup ? { ...probed, cgroup: undefined } : probed
  }
  const overlayWorks = (usable: Usable) => (overlay ??= probeOverlay(usable, situation, parts))
  return {
    report(): SandboxReport {
      const probed = tried()
      if (!probed.usable)
        return {
          usable: false,
          situation: 'none',
          overlay: false,
          cgroup: false,
          words: [],
          cause: probed.cause,
          mend: probed.mend,
        }
      const facts = { overlay: overlayWorks(probed), cgroup: probed.cgroup !== undefined }
      const words = linuxWords({ ...probed, situation: situation.name, overlay: facts.overlay, visible: tools() })
      return { usable: true, situation: situation.name, ...facts, words }
    },
    start(spec) {
      refuseWideRoot(spec)
      refuseUnspeakable(spec)
      const probed = tried()
      if (!probed.usable)
        throw new ToolError('unavailable', `Commands cannot run here: ${probed.cause}`, {
          hint: `Mend it with: ${probed.mend}`,
        })
      return started(spec, probed)
    },
  }

  function started(spec: SandboxSpec, { bubblewrap, abilities, cgroup }: Usable): Started {
    const memoryCounted = cgroup?.memory === true
    const written = writtenBytes(spec.tree, spec.limits.writtenBytes)
    const env = commandEnvironment(spec, { path: parts.path, home: parts.home, visible: tools() })
    const forwarder = spec.network ? forwarderScript() : ''
    const common = { spec, situation, abilities, visible: tools(), env, bubblewrap, memoryCounted, tellsInit: true }
    const command = [...innerDrop(situation, abilities), ...spec.argv]
    const inside = (options: InnerOptions) => ['/bin/sh', '-c', innerScript(spec.limits, options), 'sh', ...command]
    const cell = cgroup && openCell(cgroup, spec.limits)
    try {
      if (spec.terminal) {
        const waiting = forwarder && `${forwarder}\n${FORWARDER_AWAITED}`
        const first = inside({ gate: false, enters: false, forwarder: waiting })
        return startInTerminal({ ...common, command: first, cell, written, terminal: spec.terminal })
      }
      const enters = cell?.quick === true
      const { argv, given, remove } = chain(common, inside({ gate: true, enters, forwarder }))
      try {
        if (cell && enters) given.set(CELL, openSync(cell.entry, 'w'))
        const launched = launch({ argv, given, stdin: spec.stdin, whenReady: spec.network ? whenForwarding : atOnce })
        const result = running(launched, spec.limits, cell, { joins: !enters, written })
        result.exit.then(remove, remove)
        return result
      } catch (error) {
        remove()
        throw error
      }
    } catch (error) {
      cell?.remove()
      throw error
    }
  }
}

const atOnce = (_: number, tell: () => void): void => tell()

const FORWARDER_MS = 5000

/** The command begins when the way to our proxy is open, or it would find it closed. */
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
      `Commands cannot run with ${root} as the workspace: there would be nothing left to keep from them`,
      {
        hint: 'Open a directory below it as the workspace',
      },
    )
}

/** What the kernel could not pass to a program at all: a word with a NUL in it, or one that is too long. */
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
