import { GENESIS, parse, unseal, type Head, type JournalRecord } from './chain.ts'
import { headFileFor, readHead } from './head.ts'
import type { Line } from './lines.ts'
import { isCall, isIntent } from './record.ts'
import { openSnapshot } from './snapshot.ts'

interface VerifyOptions {
  /** A head that the caller stored: its record must be in the chain. May be a bare hash. */
  readonly head?: Head | string
  /** File of the journal's own head; default: beside its directory. */
  readonly headFile?: string
}

interface Problem {
  readonly seq?: number
  /** 1-based within its file. */
  readonly line?: number
  readonly segment: string
  readonly what: string
}

interface Verification {
  readonly ok: boolean
  readonly records: number
  readonly first: number
  readonly last: number
  /** The hash of the last record. */
  readonly head: string
  readonly problems: readonly Problem[]
  /** Calls that began to change something and have no end record: running, or interrupted. */
  readonly unfinished: readonly { readonly seq: number; readonly id: string; readonly tool: string }[]
}

/** State of the chain at one line: the hash is unknown after an unreadable line. */
interface Place {
  readonly seq: number
  readonly hash?: string
}

/**
 * Checks every byte of a journal. Detects any edit, deletion, reordering or insertion, and any cut before a head stored
 * elsewhere.
 */
export function verifyJournal(dir: string, options: VerifyOptions = {}): Verification {
  // Before the journal: a head read later could name a record that was not there yet.
  const headOnDisk = readHead(options.headFile ?? headFileFor(dir))
  const problems: Problem[] = []
  const anchors = new Map<number, string>([[0, GENESIS.hash]])
  const heads = headsToFind(options.head, headOnDisk)
  let [records, start, before]: [number, JournalRecord | undefined, Place | undefined] = [0, undefined, undefined]
  let segment = ''
  const openCallsById = new Map<string, Verification['unfinished'][number]>()

  for (const { name, first, lines } of openSnapshot(dir)) {
    segment = name
    let line = 0
    for (const text of lines) {
      line++
      const report = (what: string, seq?: number) => problems.push({ segment, line, what, ...(seq && { seq }) })
      if (!text.whole) report('The last line has no end: it was cut, or a crash left it half-written.')
      const record = unseal(text.bytes)
      if (!record) {
        report(damageOf(text))
        before = before && { seq: before.seq + 1 }
        continue
      }
      if (line === 1 && first !== undefined && record.seq !== first)
        report(`The file begins with record ${record.seq}, but is named after record ${first}.`, record.seq)
      for (const what of linkProblems(before, record)) report(what, record.seq)
      for (const what of heads.meet(record)) report(what, record.seq)
      if (record.type === 'gap') report(`When it was opened at ${record.time}, ${String(record['what'])}.`, record.seq)
      for (const anchor of anchorsIn(record)) anchors.set(anchor.seq, anchor.hash)
      if (isIntent(record)) openCallsById.set(record.id, { seq: record.seq, id: record.id, tool: record.tool })
      else if (isCall(record)) openCallsById.delete(record.id)
      start ??= record
      before = record
      records++
    }
  }

  if (start && anchors.get(start.seq - 1) !== start.prev)
    problems.push({
      seq: start.seq,
      segment,
      what: `The journal begins at record ${start.seq}, and no record says why.`,
    })
  for (const what of heads.unmet(records)) problems.push({ segment, what })
  if (!headOnDisk && records > 0)
    problems.push({
      segment,
      what: 'The head kept elsewhere is missing or damaged: a cut at the end would go undetected.',
    })
  const last = before ?? GENESIS
  return {
    ok: problems.length === 0,
    records,
    first: start?.seq ?? 0,
    last: last.seq,
    head: last.hash ?? '',
    problems,
    unfinished: [...openCallsById.values()],
  }
}

function linkProblems(before: Place | undefined, { seq, prev }: JournalRecord): string[] {
  if (!before) return []
  if (seq !== before.seq + 1)
    return [`Record ${seq} follows record ${before.seq}: records were removed, added or moved.`]
  return before.hash === undefined || before.hash === prev ? [] : ['It is not linked to the record before it.']
}

/** Says whether the line was edited or never was a record. */
function damageOf({ bytes }: Line): string {
  const seq = parse(bytes)?.seq
  return seq === undefined ? 'The line is not a record.' : `The content of record ${seq} does not match its hash.`
}

function headsToFind(given: Head | string | undefined, kept: Head | undefined) {
  const bySeq = [kept, typeof given === 'string' ? undefined : given].filter(head => head !== undefined)
  const matchedHeads = new Set<Head | string>(bySeq.filter(head => head.seq === 0))
  return {
    meet({ seq, hash }: JournalRecord): string[] {
      if (hash === given) matchedHeads.add(hash)
      const heads = bySeq.filter(head => head.seq === seq)
      for (const head of heads) matchedHeads.add(head)
      return heads.some(head => head.hash !== hash)
        ? ['It is not the record that was kept as head: it was rewritten.']
        : []
    },
    unmet(records: number): string[] {
      const expectedHeads = [...bySeq, ...(typeof given === 'string' && given !== GENESIS.hash ? [given] : [])]
      return expectedHeads
        .filter(head => !matchedHeads.has(head))
        .map(head => {
          const name = typeof head === 'string' ? head : `record ${head.seq}`
          return `The head kept elsewhere, ${name}, is not among the ${records} records: the journal was cut.`
        })
    },
  }
}

/** Old records may be missing if a later record of the same chain says up to which. */
function anchorsIn(record: JournalRecord): Head[] {
  if (record.type !== 'gc' || !Array.isArray(record['segments'])) return []
  return record['segments'].flatMap((removed: unknown) => {
    if (typeof removed !== 'object' || removed === null || !('to' in removed) || !('hash' in removed)) return []
    const { to, hash } = removed
    return typeof to === 'number' && typeof hash === 'string' ? [{ seq: to, hash }] : []
  })
}
