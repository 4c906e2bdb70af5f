import { hash } from 'node:crypto'
import { learnSecrets } from '../fetch-secrets.ts'
import type { CallOptions } from '../call-options.ts'
import { run } from '../run.ts'
import type { Session } from '../session.ts'
import { callLine } from './call-line.ts'
import { recordingSession, type SessionRecording } from './recording-session.ts'
import { maskIn } from './mask.ts'
import { pack } from './pack.ts'
import { recordRoom } from './recorded-room.ts'
import { RECORDING_VERSION, type Line, type RecordedOptions, type TextLine, type SessionFacts } from './recording.ts'
import { createTrace, type Trace } from './tracing.ts'
import type { JudgedBy } from '../../guards/judgement.ts'
import type { Granted } from '../../guards/policy/session-policy.ts'

/** Records what is needed to run calls again without the machine that they ran on. */
export interface Recorder {
  /** Starts a session; its calls run through the returned function. */
  session<Engines>(...of: Parameters<typeof sessionFacts>): typeof run<Engines>
  /** Starts an agent's run; what its model answers, and how it ends, is passed to the returned functions. */
  run(options: unknown): RunRecorder
}

interface RunRecorder {
  answer(answer: unknown): void
  end(status: string, output: unknown): void
}

/** Creates a recorder that passes each line to `write`, which must not throw. No line holds a secret. */
export function createRecorder(write: (line: Line) => void, toolwright: string): Recorder {
  const texts = new Set<string>()
  const put = (line: object) => write(putTextsAside(line, texts, write) as Line)
  const putRun = (line: object) => put(maskIn(pack(line) as object, new Map()))
  let [sessions, runs] = [0, 0]
  write({ type: 'recording', version: RECORDING_VERSION, toolwright })
  return {
    run(options) {
      const number = ++runs
      putRun({ type: 'run', run: number, options })
      return {
        answer: answer => putRun({ type: 'answer', run: number, answer }),
        end: (status, output) => putRun({ type: 'run-end', run: number, status, output }),
      }
    },
    session<Engines>(...of: Parameters<typeof sessionFacts>): typeof run<Engines> {
      const number = ++sessions
      let over = 0
      put(maskIn({ type: 'session', session: number, ...sessionFacts(...of) }, new Map()))
      return async (session, mounted, call, options = {}) => {
        const trace = createTrace()
        const heard: SessionRecording = { now: [], elapsed: [], processor: [], id: [] }
        const isLearned = await learnBefore(session)
        const sizeRecorder = options.room && recordRoom(options.room)
        const { recorded, stop } = watch(options, session.client, trace)
        const listening = isLearned ? recordingSession(session, trace, heard, () => over) : session
        const ran = await run(
          listening,
          mounted,
          call,
          sizeRecorder ? { ...options, room: sizeRecorder.room } : options,
        )
        stop()
        over++
        put(
          callLine({
            session: number,
            mounted,
            call,
            options: { ...recorded, ...(sizeRecorder && { room: sizeRecorder.recorded }) },
            trace,
            heard,
            ran,
            revealed: session.revealed,
            ...(!isLearned && { leftOut: 'the secrets could not be read' }),
          }),
        )
        return ran
      }
    },
  }
}

/** Learns all values of a vault before anything is recorded. If that fails, the call itself says why. */
async function learnBefore<Engines>(session: Session<Engines>): Promise<boolean> {
  if (!session.secrets) return true
  return learnSecrets(session, session.secrets).then(
    () => true,
    () => false,
  )
}

/** Records when the caller cancelled, among the events of the call. */
function watch(
  options: CallOptions,
  ownClient: string | undefined,
  trace: Trace,
): { readonly recorded: RecordedOptions; stop(): void } {
  const { dryRun, plan, hunks, task, caller, waitMs, abridged, signal, effects } = options
  const { client = ownClient, agent } = caller ?? {}
  const named = { ...(client !== undefined && { client }), ...(agent !== undefined && { agent }) }
  const abort = () => trace.note('abort', [], () => {})
  if (signal && !signal.aborted) signal.addEventListener('abort', abort, { once: true })
  return {
    recorded: {
      ...(dryRun && { dryRun }),
      ...(plan !== undefined && { plan }),
      ...(hunks && { hunks }),
      ...(task !== undefined && { task }),
      ...(Object.keys(named).length > 0 && { caller: named }),
      ...(waitMs !== undefined && { waitMs }),
      ...(abridged && { abridged }),
      ...(effects !== undefined && { effects }),
      ...(signal && { signal: signal.aborted ? 'aborted' : 'open' }),
    },
    stop: () => signal?.removeEventListener('abort', abort),
  }
}

const LONG = 1000

const textId = (text: string): string => hash('sha256', text).slice(0, 24)

/** Stores each long text once for a whole recording and leaves its name; takes a packed value. */
function putTextsAside(value: unknown, known: Set<string>, write: (line: TextLine) => void): unknown {
  if (typeof value === 'string') {
    if (value.length < LONG) return value
    const id = textId(value)
    if (!known.has(id)) write({ type: 'text', id, text: value })
    known.add(id)
    return { $text: id }
  }
  if (typeof value !== 'object' || value === null) return value
  const inside = (item: unknown) => putTextsAside(item, known, write)
  if (Array.isArray(value)) return value.map(inside)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inside(item)]))
}

/** Returns what recorded calls are judged by when replayed, without the settings of the vault and the machine. */
function sessionFacts(
  { id, task, account, workspace, secrets }: Pick<Session<never>, 'id' | 'task' | 'account' | 'workspace' | 'secrets'>,
  mount: { readonly contract: string; readonly readOnly: boolean },
  {
    policy,
    permissions,
    repositories,
    limits,
    budgets,
    plans,
    justifications,
    approvals,
    timeouts,
    loadMs,
    effects,
  }: JudgedBy,
  grants: Granted,
): SessionFacts {
  return {
    id,
    task,
    ...(account !== task && { account }),
    workspace,
    ...mount,
    secrets: secrets !== undefined,
    config: {
      policy: { defaults: policy.defaults, rules: policy.rules },
      permissions,
      ...(repositories && { repositories }),
      limits: { answerBytes: limits.answerBytes },
      budgets,
      plans: { require: plans.require },
      justifications,
      approvals: { expireMs: approvals.expireMs },
      ...(timeouts && { timeouts }),
      ...(loadMs !== undefined && { loadMs }),
      ...(effects && { effects }),
    },
    granted: pick(grants),
  }
}

/** A new kind of grant does not compile until it is recorded. */
function pick({ permissions, denials, stored, permissionsOnly, grantSecrets, commands, protection }: Granted): Granted {
  const all = { permissions, denials, stored, permissionsOnly, grantSecrets, commands, protection } satisfies Record<
    keyof Required<Granted>,
    unknown
  >
  return JSON.parse(JSON.stringify(all))
}
