import { StringDecoder } from 'node:string_decoder'
import { ToolError } from '../../kernel/error.ts'
import type { OutputChunk, Printed, RunFacts } from '../../kernel/run-facts.ts'
import type { StartQuestion } from '../../kernel/start-rules.ts'
import type { CallContext } from '../../kernel/tool.ts'
import { claimedLine, type CommandParts, type CommandPlace } from './command-place.ts'
import { readingEnvironment } from './environment.ts'
import { errorHints } from './error-hints.ts'
import { exitCodeOf } from './exit-code.ts'
import { stoppedAt, wasEndedByFileLimit } from './file-limit.ts'
import { guardStarts, refusalWarnings } from './guard-starts.ts'
import { keepPrinted, storeOutput, type StoredOutput } from './output.ts'
import type { Overlay } from './overlay/open-overlay.ts'
import { gitWarnings } from './outside-repository.ts'
import { prepareCommand } from './prepare-command.ts'
import { endedBy, leftHalfDone, printedOf, withPrinted } from './run-error.ts'
import type { Exit, Limits, Started } from './sandbox/types.ts'
import { treeFor } from './tree-for.ts'
import type { Ran, RunSpec } from './types.ts'
import { openNetworkAccess, sentWarning } from './network-access.ts'

/** A finished command, with the tree that holds its changes. */
export interface Done {
  readonly line: string
  readonly ran: Ran
  /** The command wrote to the workspace directly. */
  readonly direct: boolean
  /** Undefined if it wrote to the workspace directly or could not write. */
  readonly overlay: Overlay | undefined
  readonly warnings: readonly string[]
}

/**
 * Runs one command to its end and stages its changes. Throws `timeout` or `quota`, with the output, if a limit ended
 * it. Other commands may run at the same time: if one of them lands a change to the same files first, runs the command
 * once more over the new state.
 */
export async function runCommand(
  parts: CommandParts,
  place: CommandPlace,
  spec: RunSpec,
  call: CallContext,
): Promise<Done> {
  const isContained = !parts.off && !place.inTransaction && !place.claims.some(({ action }) => action === 'net')
  if (!isContained) await call.land?.()
  let isAsked = false
  const { askStart } = call
  const asking = askStart && {
    askStart(start: StartQuestion) {
      isAsked = true
      return askStart(start)
    },
  }
  const { isOvertaken, ...commandRun } = await runOnce(parts, place, spec, { ...call, ...asking })
  try {
    return collectChanges(commandRun)
  } catch (error) {
    // A command with effects outside its tree, or with a person's approval, is not repeated.
    const mayRepeat = isOvertaken && isContained && !isAsked
    if (!mayRepeat || !(error instanceof ToolError) || error.code !== 'conflict') throw error
  }
  call.tell?.(AGAIN)
  const { isOvertaken: _alone, ...again } = await runOnce(parts, place, spec, call)
  const result = collectChanges(again)
  return { ...result, warnings: [AGAIN, ...result.warnings] }
}

const AGAIN = 'The command ran a second time: a concurrent command changed the same files first'

/** Stages a command's changes. Adds warnings about changes that never land. */
function collectChanges(done: Done): Done {
  try {
    return { ...done, warnings: [...done.warnings, ...(done.overlay?.collect() ?? [])] }
  } catch (error) {
    done.overlay?.discard()
    throw withPrinted(error, done.ran)
  }
}

async function runOnce(
  parts: CommandParts,
  place: CommandPlace,
  spec: RunSpec,
  call: CallContext,
): Promise<Done & { readonly isOvertaken: boolean }> {
  const line = claimedLine(spec, place.claims)
  const { ready, stdin, shell, common } = await prepareCommand(parts, place, spec, call)
  const { sandbox, report } = ready
  const limits = limitsOf(parts, spec)
  const { overlay, ...tree } = treeFor(parts, place, ready)
  const direct = tree.tree.kind === 'direct'
  const isLinked = tree.tree.kind === 'overlay' && tree.tree.second !== undefined
  const since = performance.now()
  try {
    const way = await openNetworkAccess(parts, place, ready)
    try {
      // Recorded first, so that a call that dies with its command still has a record.
      place.begin({ durable: parts.off, direct: parts.off })
      const starts = place.starts && guardStarts(place.starts, call.askStart)
      const command = sandbox.start({
        ...common,
        ...tree,
        env: place.commandTree === 'read-only' ? readingEnvironment(common.env) : common.env,
        ...(starts && { starts: starts.guard }),
        network: way?.network,
        limits: { ...limits, fileBytes: stoppedAt(limits.fileBytes) },
        stdin: stdin === undefined && !spec.terminal ? 'none' : 'pipe',
      })
      if (stdin !== undefined) command.stdin?.end(stdin)
      const { exit, stdout, stderr } = await outcomeOf(command, limits, call)
      const most = exit.ended === 'output' ? limits.outputBytes : undefined
      const printedParts = keepPrinted(stdout, stderr, { keep: call.keep, most })
      const ran = ranOf(
        exit,
        { stdout, stderr, ...printedParts },
        parts.fixed ? 0 : performance.now() - since,
        foreign(shell, parts.env['SHELL']),
      )
      noteFacts(call, ran, parts.fixed ? NOTHING_USED : exit, {
        sandbox: parts.off ? 'off' : report.situation,
        net: way?.decisions,
        direct,
        refused: starts?.refused ?? [],
      })
      const why = exit.ended ?? (wasEndedByFileLimit(ran, line) ? 'file' : undefined)
      if (why) throw endedBy(why, ran, limits, direct)
      const half = starts?.halfDone()
      if (half) throw leftHalfDone(half, ran, direct)
      const hintsAndWarnings = parts.off
        ? []
        : [
            ...errorHints(ran),
            ...(place.inTransaction ? sentWarning(way?.decisions ?? []) : []),
            ...(place.hides?.unseen ? [place.hides.unseen] : []),
            ...gitWarnings(place.root.path, spec, isLinked || place.commandTree === 'read-only'),
          ]
      const startWarnings = refusalWarnings(starts?.refused ?? [])
      const isOvertaken = overlay !== undefined && (await call.land?.()) === true
      return {
        line,
        ran,
        direct,
        overlay,
        warnings: [...(ran.outputNotes ?? []), ...startWarnings, ...hintsAndWarnings],
        isOvertaken,
      }
    } finally {
      await way?.close()
    }
  } catch (error) {
    overlay?.discard()
    throw error
  }
}

/** Lines run in the shell that policy parses, regardless of the user's shell. */
const foreign = (shell: Ran['shell'], own = ''): Ran['shell'] =>
  own === '' || own.endsWith(`/${shell ?? ''}`) ? undefined : shell

/** Deterministic mode: resource usage never repeats exactly. */
const NOTHING_USED = {}

export const limitsOf = ({ limits }: CommandParts, { timeoutMs }: RunSpec): Limits => {
  const { timeoutMs: usual, ...rest } = limits
  return { ...rest, wallMs: timeoutMs ?? usual }
}

async function outcomeOf(
  started: Started,
  limits: Limits,
  call: CallContext,
): Promise<{ readonly exit: Exit; readonly stdout: StoredOutput; readonly stderr: StoredOutput }> {
  const [stdout, stderr] = [storeOutput(), storeOutput()]
  let printedBytes = 0
  let bytesLeft = limits.outputBytes
  // A pipe may hold more than the limit, and the command runs on until it is ended: the rest is dropped.
  const keep = (kept: StoredOutput, shown: Buffer) => {
    const part = shown.subarray(0, bytesLeft)
    bytesLeft -= part.length
    kept.push(part)
  }
  /** Returns a function for the held-back rest, which could have started a secret. */
  const take = (stream: OutputChunk['stream'], kept: StoredOutput): (() => void) => {
    const decoder = new StringDecoder('utf8')
    // Before the middle is omitted: half a secret at the cut would not be recognised.
    const hide = call.conceal?.()
    started[stream].on('data', (chunk: Buffer) => {
      printedBytes += chunk.length
      keep(kept, hide ? hide.push(chunk) : chunk)
      if (printedBytes > limits.outputBytes) started.end('output')
      call.emit?.({ stream, text: decoder.write(chunk) })
    })
    started[stream].on('error', () => {})
    return () => void (hide && keep(kept, hide.end()))
  }
  const rests = [take('stdout', stdout), take('stderr', stderr)]
  const cancel = () => started.end('cancelled')
  if (call.signal.aborted) cancel()
  call.signal.addEventListener('abort', cancel, { once: true })
  try {
    const exit = await started.exit
    for (const rest of rests) rest()
    return { exit, stdout, stderr }
  } finally {
    call.signal.removeEventListener('abort', cancel)
  }
}

interface Streams {
  readonly stdout: StoredOutput
  readonly stderr: StoredOutput
  readonly printed: Printed
  readonly leftOut: number
}

function ranOf(
  exit: Exit,
  { stdout, stderr, printed, leftOut }: Streams,
  durationMs: number,
  shell: Ran['shell'],
): Ran {
  return {
    exitCode: exitCodeOf(exit),
    ...(exit.signal !== null && { signal: exit.signal }),
    ...printed,
    stdoutBytes: stdout.bytes,
    stderrBytes: stderr.bytes,
    stdoutLines: stdout.lines,
    stderrLines: stderr.lines,
    truncated: leftOut > 0 || exit.ended === 'output',
    bytesLeftOut: leftOut,
    durationMs: Math.round(durationMs),
    ...(shell && { shell }),
  }
}

function noteFacts(
  call: CallContext,
  { exitCode, signal, ...ran }: Ran,
  { cpuMs, maxRssBytes }: Pick<Exit, 'cpuMs' | 'maxRssBytes'>,
  more: {
    readonly sandbox: string
    readonly net: Parameters<NonNullable<CallContext['note']>>[0]['net']
    readonly direct: boolean
    readonly refused: NonNullable<RunFacts['refused']>
  },
): void {
  const resources = { ...(cpuMs !== undefined && { cpuMs }), ...(maxRssBytes !== undefined && { maxRssBytes }) }
  call.note?.({
    exitCode,
    ...(signal !== undefined && { signal }),
    ...(Object.keys(resources).length > 0 && { resources }),
    sandbox: more.sandbox,
    ...(more.direct && { direct: true }),
    ...(more.net && { net: more.net }),
    ...(more.refused.length > 0 && { refused: more.refused }),
    printed: printedOf(ran),
  })
}
