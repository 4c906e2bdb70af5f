import { randomBytes } from 'node:crypto'
import { ToolError } from '../../kernel/error.ts'
import { finishedLength, plainOutput } from '../../kernel/plain-output.ts'
import type { ConcealStream } from '../../kernel/run-facts.ts'
import { exitCodeOf } from './exit-code.ts'
import { wholeEnd } from './output.ts'
import type { Exit, Started } from './sandbox/types.ts'
import type { BackgroundState } from './types.ts'

/** Commands of one workspace that outlive their calls. They end with this process. */
export interface Background {
  add(started: Started, options: AddOptions): BackgroundState
  lineOf(handle: string): string | undefined
  /** Returns the state without output. */
  poll(handle: string): BackgroundState
  read(handle: string, since: number): BackgroundOutput
  write(handle: string, input: string): BackgroundState
  stop(handle: string): Promise<BackgroundState>
  /** Warnings so far about files that the command left and that could not stay. */
  warnings(handle: string): readonly string[]
  /** Refuses when the maximum number of commands already runs. */
  ensureRoom(): void
  close(): Promise<void>
}

/** The state of a command with the bytes that it printed. */
interface BackgroundOutput extends BackgroundState {
  readonly bytes: Buffer
}

interface AddOptions {
  readonly command: string
  /** Ends the command if it prints more. */
  readonly outputBytes: number
  readonly conceal: (() => ConcealStream) | undefined
  /** Disarms what the command has left so far and returns what it did. Called repeatedly. */
  sweep(): readonly string[]
  /** Starts refused so far. */
  refusals(): readonly string[]
  /** Called once, when the command has ended. */
  ended(): void
}

interface Entry {
  readonly command: string
  readonly started: Started
  readonly since: number
  chunks: Buffer[]
  /** Offsets of the first stored byte and past the last. */
  from: number
  to: number
  exit?: Exit
  endedAt?: number
  readonly warnings: string[]
  readonly sweep: () => readonly string[]
  readonly refusals: () => readonly string[]
  /** Earliest time of the next sweep while the command runs. */
  nextSweep: number
}

const MOST_RUNNING = 16
const MOST_REMEMBERED = 64
const KEPT = 1024 * 1024
const MOST_WARNINGS = 20
const SWEEP_MS = 1000
const SWEEP_SHARE = 0.05

export function createBackground(): Background {
  const entries = new Map<string, Entry>()
  const running = () => [...entries.values()].filter(({ exit }) => exit === undefined)
  const entryOf = (handle: string): Entry => {
    const entry = entries.get(handle)
    if (entry) return entry
    throw new ToolError('not_found', `There is no background command '${handle}'`, {
      hint: 'Background commands end with the process that started them',
    })
  }

  const background: Background = {
    ensureRoom() {
      if (running().length >= MOST_RUNNING)
        throw new ToolError('quota', `${MOST_RUNNING} background commands are running already`, {
          hint: 'Stop one of them first',
        })
    },
    add(started, options) {
      const handle = randomBytes(8).toString('hex')
      const entry: Entry = {
        command: options.command,
        started,
        since: Date.now(),
        chunks: [],
        from: 0,
        to: 0,
        warnings: [],
        sweep: options.sweep,
        refusals: options.refusals,
        nextSweep: 0,
      }
      entries.set(handle, entry)
      collect(entry, options)
      forgetOldest(entries)
      return background.poll(handle)
    },
    lineOf: handle => entries.get(handle)?.command,
    poll(handle) {
      const { bytes: _, ...state } = stateOf(handle, entryOf(handle), Number.POSITIVE_INFINITY)
      return state
    },
    read: (handle, since) => stateOf(handle, entryOf(handle), since),
    write(handle, input) {
      const entry = entryOf(handle)
      if (entry.exit || !entry.started.stdin?.writable)
        throw new ToolError('unavailable', `The background command '${handle}' reads no input any more`, {
          hint: 'It has ended, or has closed its input: poll it, read its output, or start it again',
        })
      entry.started.stdin.write(input)
      return background.poll(handle)
    },
    async stop(handle) {
      const entry = entryOf(handle)
      if (!entry.exit) entry.started.end('cancelled')
      await entry.started.exit.catch(() => {})
      await Promise.resolve()
      return background.poll(handle)
    },
    warnings(handle) {
      const entry = entryOf(handle)
      if (!entry.exit && performance.now() > entry.nextSweep) sweep(entry)
      return [...entry.warnings, ...entry.refusals()]
    },
    async close() {
      for (const { started } of running()) started.end('cancelled')
      await Promise.all([...entries.values()].map(({ started }) => started.exit.catch(() => {})))
      entries.clear()
    },
  }
  return background
}

function collect(entry: Entry, { outputBytes, conceal, ended }: AddOptions): void {
  const { started } = entry
  let printedBytes = 0
  for (const stream of [started.stdout, started.stderr]) {
    const hide = conceal?.()
    stream.on('data', (chunk: Buffer) => {
      printedBytes += chunk.length
      if (printedBytes > outputBytes) started.end('output')
      keep(entry, hide ? hide.push(chunk) : chunk)
    })
    stream.on('end', () => hide && keep(entry, hide.end()))
    stream.on('error', () => {})
  }
  const over = (exit: Exit) => {
    entry.exit = exit
    entry.endedAt = Date.now()
    sweep(entry)
    ended()
  }
  started.exit.then(over, () => over({ code: 125, signal: null }))
}

/** Limits sweeping to a small share of the running time. */
function sweep(entry: Entry): void {
  const before = performance.now()
  entry.warnings.push(...entry.sweep())
  if (entry.warnings.length > MOST_WARNINGS) entry.warnings.length = MOST_WARNINGS
  entry.nextSweep = performance.now() + Math.max(SWEEP_MS, (performance.now() - before) / SWEEP_SHARE)
}

function keep(entry: Entry, chunk: Buffer): void {
  if (chunk.length === 0) return
  entry.chunks.push(Buffer.from(chunk))
  entry.to += chunk.length
  if (entry.chunks.length > 256) entry.chunks = [Buffer.concat(entry.chunks)]
  const over = entry.to - entry.from - KEPT
  if (over <= KEPT) return
  entry.chunks = [Buffer.concat(entry.chunks).subarray(over)]
  entry.from += over
}

function stateOf(handle: string, entry: Entry, since: number): BackgroundOutput {
  const { command, exit, from } = entry
  const until = readableEnd(entry)
  const start = Math.min(Math.max(since, from), until)
  const bytes = start === until ? NOTHING : Buffer.concat(entry.chunks).subarray(start - from, until - from)
  return {
    handle,
    command,
    running: exit === undefined,
    ...(exit && { exitCode: exitCodeOf(exit) }),
    ...(exit && exit.signal !== null && { signal: exit.signal }),
    ...(exit?.ended && { ended: exit.ended }),
    output: plainOutput(bytes.toString()),
    bytes,
    offset: until,
    truncated: since < from,
    durationMs: (entry.endedAt ?? Date.now()) - entry.since,
  }
}

const NOTHING = Buffer.alloc(0)
/** No character and no sequence that is waited for is longer. */
const LAST_BYTES = 8192

/** Returns the offset up to which output can be read: while the command runs, not within a character or a sequence. */
function readableEnd({ chunks, exit, from, to }: Entry): number {
  if (exit) return to
  const last: Buffer[] = []
  for (let at = chunks.length - 1, bytes = 0; at >= 0 && bytes < LAST_BYTES; at--) {
    const chunk = chunks[at] ?? NOTHING
    last.unshift(chunk)
    bytes += chunk.length
  }
  const tail = Buffer.concat(last)
  return Math.max(from, to - tail.length + wholeEnd(tail.subarray(0, finishedLength(tail))).length)
}

function forgetOldest(entries: Map<string, Entry>): void {
  for (const [handle, { exit }] of entries) {
    if (entries.size <= MOST_REMEMBERED) return
    if (exit) entries.delete(handle)
  }
}
