import { hash } from 'node:crypto'
import { compileApproval, type Approval } from '../../guards/approval/approval.ts'
import { judgementOf } from '../../guards/judgement.ts'
import type { PastStep } from '../../guards/workflow.ts'
import type { Change } from '../../kernel/change.ts'
import type { LandedPart } from '../../kernel/hunks.ts'
import type { SecretProvider } from '../../kernel/secret.ts'
import type { Clock } from '../clock.ts'
import type { Answer } from '../questions.ts'
import { createSchedule } from '../schedule.ts'
import type { Approvals, JudgedChange, Machine, Opened, Session } from '../session.ts'
import type { Facts } from '../../kernel/claim.ts'
import { cardFacts, effectsFacts, openFacts, originFacts } from './recording-session.ts'
import type { CallLine, SessionLine } from './recording.ts'
import type { Tape } from './tape.ts'

interface ReplayedSession {
  readonly history: PastStep[]
  readonly revealed: Map<string, string>
  /** Receives the record of the call. */
  record(entry: object): void
}

/** Returns a session for one call whose machine, clock and people are the recording; its rules are the real ones. */
export function replayingSession<Engines>(
  { id, task, account = task, workspace, secrets, config, granted }: SessionLine,
  { clock }: CallLine,
  tape: Tape,
  { history, revealed, record }: ReplayedSession,
): Session<Engines> {
  return {
    id,
    task,
    account,
    workspace,
    ...judgementOf(config, granted),
    checksAnswers: false,
    clock: playingClock(clock),
    history,
    questions: {
      ask: async card => (await tape.take('ask', [cardFacts(card)])) as Answer,
      pending: () => [],
      answer: () => false,
      attach: () => () => {},
    },
    approvals: playingApprovals(tape),
    secrets: secrets ? playingSecrets(tape) : undefined,
    revealed,
    schedule: createSchedule(),
    machine: playingMachine(tape, record),
  }
}

/** An extra look at the clock sees that no time has passed. */
function playingClock({ now, elapsed, id, processor }: CallLine['clock']): Clock {
  const [nows, laps, ids, busy] = [[...now], [...elapsed], [...id], processor && [...processor]]
  let more = 0
  return {
    now: () => (nows.length > 1 ? nows.shift() : nows[0]) ?? 0,
    elapsed: () => (laps.length > 1 ? laps.shift() : laps[0]) ?? 0,
    ...(busy && { processorMs: () => busy.shift() ?? 0 }),
    id: () => ids.shift() ?? `replay${++more}`,
  }
}

/** The tape returns what the same function returned when it was recorded. */
function playingMachine<Engines>(tape: Tape, record: (entry: object) => void): Machine<Engines> {
  type Of<Name extends keyof Machine<Engines>> = ReturnType<
    Extract<Machine<Engines>[Name], (...args: never) => unknown>
  >
  return {
    facts: {
      undoPaths: id => tape.take('undoPaths', [id]) as readonly string[],
      committedSince: id => tape.take('committedSince', [id]) as string | undefined,
      repositoryOrigin: product => tape.take('repositoryOrigin', originFacts(product)) as string | undefined,
      documentation: () => tape.take('documentation') as ReturnType<NonNullable<Facts['documentation']>>,
      backgroundLine: handle => tape.take('backgroundLine', [handle]) as string | undefined,
      stagedClaims: () => tape.take('stagedClaims') as ReturnType<NonNullable<Facts['stagedClaims']>>,
    },
    canonical: claims => tape.take('canonical', [claims]) as Of<'canonical'>,
    named: claims => (tape.has('named', [claims]) ? (tape.take('named', [claims]) as Of<'canonical'>) : claims),
    open(grant, options) {
      tape.take('open', openFacts(grant, options))
      return playingOpened(tape)
    },
    keep: text => String(tape.take('keep', [text])),
    intend() {},
    record(entry) {
      record(entry)
      tape.take('record')
    },
    spent: scope => Number(tape.take('spent', [scope])),
    tell() {},
    tellApart() {},
    reserve(scope, limits) {
      tape.take('reserve', [scope, limits])
      return { take: bytes => Number(tape.take('take') ?? bytes), release: () => void tape.take('release') }
    },
  }
}

function playingOpened<Engines>(tape: Tape): Opened<Engines> {
  return {
    engines: playingEngines(tape) as Engines,
    changes: () =>
      (tape.take('changes') as Change[]).map(facts => ({
        ...facts,
        diff: () => String(tape.take('diff', [facts.path])),
      })),
    accept: hunks => tape.take('accept', [hunks]) as readonly LandedPart[],
    effects: async wish => (await tape.take('effects', [effectsFacts(wish)])) as JudgedChange | undefined,
    previewWarnings: () => (tape.has('previewWarnings') ? (tape.take('previewWarnings') as readonly string[]) : []),
    rewritten: () => (tape.has('rewritten') ? (tape.take('rewritten') as readonly string[]) : []),
    unstaged: async () => (await tape.take('unstaged')) as readonly unknown[],
    keep: async plan => (await tape.take('keepResult', [plan])) === true,
    commit: id => tape.take('commit', [id]) as ReturnType<Opened<Engines>['commit']>,
  }
}

function playingApprovals(tape: Tape): Approvals {
  return {
    list: () => Promise.all((tape.take('approvals') as Approval[]).map(compileApproval)),
    add: approval => tape.take('remember', [approval]) as Approval,
    touch: (id, at) => void tape.take('touch', [id, at]),
  }
}

/** Replaces each secret by a text that is long enough to be found and redacted like the secret. */
function playingSecrets(tape: Tape): SecretProvider {
  return {
    async get(key) {
      const isKnown = await tape.take('secret', [key])
      return isKnown ? `stand-in-${hash('sha256', key)}` : undefined
    },
  }
}

/** Returns engines of any shape whose every function answers from the tape. */
function playingEngines(tape: Tape): object {
  return proxyByName(group =>
    proxyByName(
      verb =>
        (...args: readonly unknown[]) =>
          tape.take(`${group}.${verb}`, args, noteOf(args)),
    ),
  )
}

function proxyByName(part: (name: string) => unknown): object {
  return new Proxy({}, { get: (_target, name) => (typeof name === 'string' ? part(name) : undefined) })
}

/** Returns the way into the call's record, if the engine was passed one. */
function noteOf(args: readonly unknown[]): ((facts: unknown) => void) | undefined {
  for (const arg of args)
    if (typeof arg === 'object' && arg !== null && 'note' in arg && typeof arg.note === 'function') {
      const { note } = arg
      return facts => void note(facts)
    }
  return undefined
}
