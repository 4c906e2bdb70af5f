import type { Change } from '../../kernel/change.ts'
import type { Claim } from '../../kernel/claim.ts'
import type { SecretProvider } from '../../kernel/secret.ts'
import type { Clock } from '../clock.ts'
import type { Card } from '../questions.ts'
import type { OpenOptions } from '../../kernel/open-options.ts'
import { WHILE_SAME } from '../run-texts.ts'
import type { Approvals, EffectsRequest, Machine, Opened, Session } from '../session.ts'
import type { Trace } from './tracing.ts'
import type { Event } from './recording.ts'
import { pack } from './pack.ts'

export interface SessionRecording {
  readonly now: number[]
  readonly elapsed: number[]
  readonly processor: number[]
  readonly id: string[]
  seen?: number
  record?: object
}

/** Returns a session for one call that records everything that the call learns from outside. */
export function recordingSession<Engines>(
  session: Session<Engines>,
  trace: Trace,
  heard: SessionRecording,
  over: () => number,
): Session<Engines> {
  const { clock, questions, approvals, secrets, machine } = session
  return {
    ...session,
    get history() {
      heard.seen ??= over()
      return session.history
    },
    clock: {
      now: () => append(heard.now, clock.now()),
      elapsed: () => append(heard.elapsed, clock.elapsed()),
      ...listeningProcessor(clock, heard),
      id: () => append(heard.id, clock.id()),
    },
    questions: {
      ...questions,
      ask: (card, asking) => trace.note('ask', [cardFacts(card)], () => questions.ask(card, asking)),
    },
    approvals: listeningApprovals(approvals, trace),
    secrets: secrets && listeningSecrets(secrets, trace),
    machine: listeningMachine(machine, trace, heard),
  }
}

const listeningProcessor = ({ processorMs }: Clock, { processor }: SessionRecording): Pick<Clock, 'processorMs'> =>
  processorMs ? { processorMs: () => append(processor, processorMs()) } : {}

const append = <T>(list: T[], value: T): T => {
  list.push(value)
  return value
}

/**
 * The names of changes without their diffs, which are computed only on demand, and the proposal without the condition
 * that files stay as they are: a replay sees no files.
 */
export const cardFacts = ({ changes, whole: _whole, proposal, ...card }: Card): object => ({
  ...card,
  ...(proposal !== undefined && { proposal: proposal.replace(WHILE_SAME, '') }),
  changes: changes.map(changeFacts),
})
const changeFacts = ({ diff: _diff, ...facts }: Change): object => facts
export const effectsFacts = ({ mode, deadlineMs, landingMs }: EffectsRequest): object => ({
  mode,
  deadlineMs,
  ...(landingMs !== undefined && { landingMs }),
})
/** A call that names no product is recorded as before products existed. */
export const originFacts = (product: string | undefined): readonly string[] => (product === undefined ? [] : [product])
export const openFacts = (grant: readonly Claim[], { strictWrites, hidden, preview }: OpenOptions): unknown[] => [
  grant,
  { strictWrites, hidden, preview },
]

function listeningMachine<Engines>(machine: Machine<Engines>, trace: Trace, heard: SessionRecording): Machine<Engines> {
  return {
    ...machine,
    facts: {
      undoPaths: id => trace.note('undoPaths', [id], () => machine.facts.undoPaths(id)),
      committedSince: id => trace.note('committedSince', [id], () => machine.facts.committedSince?.(id)),
      repositoryOrigin: product =>
        trace.note('repositoryOrigin', originFacts(product), () => machine.facts.repositoryOrigin?.(product)),
      documentation: () => trace.note('documentation', [], () => machine.facts.documentation?.() ?? {}),
      backgroundLine: handle => trace.note('backgroundLine', [handle], () => machine.facts.backgroundLine?.(handle)),
      stagedClaims: () => trace.note('stagedClaims', [], () => machine.facts.stagedClaims?.()),
    },
    canonical: claims => trace.note('canonical', [claims], () => machine.canonical(claims)),
    named(claims) {
      const namedClaims = machine.named?.(claims) ?? claims
      return namedClaims === claims ? claims : trace.note('named', [claims], () => namedClaims)
    },
    open(grant, options) {
      let callEngines: Opened<Engines> | undefined
      trace.note('open', openFacts(grant, options), () => void (callEngines = machine.open(grant, options)))
      if (!callEngines) throw new Error('Nothing was opened')
      return listeningOpened(callEngines, trace)
    },
    keep: (text, origin) => trace.note('keep', [text], () => machine.keep(text, origin)),
    record(entry) {
      heard.record = entry
      trace.note('record', [], () => machine.record(entry))
    },
    spent: scope => trace.note('spent', [scope], () => machine.spent(scope)),
    reserve(scope, limits) {
      let lease: ReturnType<Machine<Engines>['reserve']> | undefined
      trace.note('reserve', [scope, limits], () => void (lease = machine.reserve(scope, limits)))
      return {
        take: (bytes, given, whole) => trace.note('take', [], () => lease?.take(bytes, given, whole) ?? bytes),
        release: () => trace.note('release', [], () => lease?.release()),
      }
    },
  }
}

function listeningOpened<Engines>(opened: Opened<Engines>, trace: Trace): Opened<Engines> {
  return {
    ...opened,
    engines: recordingEngines(opened.engines, trace),
    changes() {
      let changes: readonly Change[] = []
      trace.note('changes', [], () => (changes = opened.changes()).map(changeFacts))
      return changes.map(change => ({ ...change, diff: () => trace.note('diff', [change.path], () => change.diff()) }))
    },
    ...(opened.accept && {
      accept: hunks => trace.note('accept', [hunks], () => opened.accept?.(hunks) ?? []),
    }),
    ...(opened.effects && {
      effects: wish => trace.note('effects', [effectsFacts(wish)], async () => opened.effects?.(wish)),
    }),
    previewWarnings() {
      const warnings = opened.previewWarnings?.() ?? []
      return warnings.length === 0 ? warnings : trace.note('previewWarnings', [], () => warnings)
    },
    rewritten() {
      const files = opened.rewritten?.() ?? []
      return files.length === 0 ? files : trace.note('rewritten', [], () => files)
    },
    ...(opened.unstaged && {
      unstaged: () => trace.note('unstaged', [], async () => (await opened.unstaged?.()) ?? []),
    }),
    ...(opened.keep && {
      keep: plan => trace.note('keepResult', [plan], async () => (await opened.keep?.(plan)) ?? false),
    }),
    commit: id => trace.note('commit', [id], () => opened.commit(id)),
  }
}

function listeningApprovals(approvals: Approvals, trace: Trace): Approvals {
  return {
    async list() {
      const all = await approvals.list()
      trace.note('approvals', [], () => all.map(({ compiled: _compiled, ...approval }) => approval))
      return all
    },
    add(approval) {
      // A replay sees no files.
      const { runs: _runs, ...rest } = approval
      return trace.note('remember', [rest], () => approvals.add(approval))
    },
    touch: (id, at) => trace.note('touch', [id, at], () => approvals.touch(id, at)),
  }
}

/** Records that there is a value, never the value. Lists no keys, because the session knows them already. */
function listeningSecrets(secrets: SecretProvider, trace: Trace): SecretProvider {
  return {
    async get(key) {
      let value: string | undefined
      await trace.note('secret', [key], async () => (value = await secrets.get(key)) !== undefined)
      return value
    },
  }
}

/**
 * Wraps the engines to record them. Every engine is groups of functions that take and return data, so a new engine is
 * recorded without new code here.
 */
function recordingEngines<Engines>(engines: Engines, trace: Trace): Engines {
  return perGroup(engines, (group, name) =>
    perGroup(group, (work, verb) => {
      if (typeof work !== 'function') return work
      return (...args: readonly unknown[]) => {
        const notes: unknown[] = []
        const heard = args.map(arg => listeningContext(arg, notes))
        const before = trace.events.length
        try {
          return trace.note(`${name}.${verb}`, args, () => Reflect.apply(work, group, heard))
        } finally {
          const event: Event | undefined = trace.events[before]
          // Filled while the engine works, which may be long after this.
          if (event) event.notes = notes
        }
      }
    }),
  )
}

/** Returns an object whose parts are created on first access. */
function perGroup<T>(object: T, part: (value: unknown, name: string) => unknown): T {
  if (typeof object !== 'object' || object === null) return object
  const partsByName = new Map<string, unknown>()
  return new Proxy(object, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof name !== 'string') return value
      const groupPart = partsByName.get(name) ?? part(value, name)
      partsByName.set(name, groupPart)
      return groupPart
    },
  })
}

/** Records what an engine notes of a call through the context that it was passed. */
function listeningContext(arg: unknown, notes: unknown[]): unknown {
  if (typeof arg !== 'object' || arg === null || !('note' in arg)) return arg
  const { note } = arg
  if (typeof note !== 'function') return arg
  const heard = (facts: unknown): void => {
    notes.push(pack(facts))
    note(facts)
  }
  return new Proxy(arg, {
    get: (target, name) => (name === 'note' ? heard : Reflect.get(target, name)),
  })
}
