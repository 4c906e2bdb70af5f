import { createHash } from 'node:crypto'
import { RecentMap } from '../../kernel/recent-map.ts'
import { ownProgram } from '../../machine/own-program.ts'
import { startParserProcess, type Answered, type ParseFailure, type ParserProcess } from './parser-process.ts'

/** A request to a parser process about one text. */
export interface ParserJob {
  readonly job: 'pdf' | 'facts' | 'code' | 'syntax' | 'module' | 'usages' | 'operations' | 'members' | 'occurrences'
  readonly path: string
  readonly content: string | Uint8Array
  /** A name to look for. */
  readonly name?: string
  /** Offsets to look up. */
  readonly at?: readonly number[]
}

export type Unparsed = ParseFailure | 'nesting' | 'size'

/** Answer of a parser process. A text that is nested too deeply is not parsed. */
export type ParserAnswer = { readonly value: unknown } | { readonly failed: Unparsed }

export const LONGEST_MS = 5000
const MOST_PROCESSES = 3
const IDLE_MS = 60_000
const MOST_KNOWN = 500
const MOST_RECENT = 256
/** Answers to longer texts are not kept. */
const LONGEST_RECENT = 128 * 1024

const running = new Set<ParserProcess>()
const waiting: (() => void)[] = []
/** Texts that are not tried again. */
const failures = new RecentMap<string, Unparsed>(MOST_KNOWN)
/** Answers, pending ones included: after each edit, its effects ask about every changed file again. */
const recent = new RecentMap<string, Promise<ParserAnswer>>(MOST_RECENT)
let idle: NodeJS.Timeout | undefined

/** Parses one text in another process, from a small pool. */
export async function askParser(job: ParserJob): Promise<ParserAnswer> {
  const key = keyOf(job)
  const failure = failures.get(key)
  if (failure) return { failed: failure }
  if (job.content.length > LONGEST_RECENT) return parse(job, key)
  const answer = recent.get(key) ?? parse(job, key)
  recent.set(key, answer)
  return answer
}

async function parse(job: ParserJob, key: string): Promise<ParserAnswer> {
  const first = await ask(job)
  // A fresh process rules out damage by earlier texts.
  const outcome = 'failed' in first && first.failed !== 'timeout' ? await ask(job) : first
  const answer = 'failed' in outcome ? outcome : (outcome.answer as ParserAnswer)
  if ('failed' in answer) failures.set(key, answer.failed)
  return answer
}

async function ask(job: ParserJob): Promise<Answered> {
  clearTimeout(idle)
  for (;;) {
    const free = [...running].find(each => !each.isBusy()) ?? (running.size < MOST_PROCESSES ? start() : undefined)
    if (!free) {
      await new Promise<void>(resolve => waiting.push(resolve))
      continue
    }
    const answer = await free.ask(job)
    waiting.shift()?.()
    if (waiting.length === 0) rest()
    return answer
  }
}

function start(): ParserProcess {
  const parserProcess = startParserProcess({
    program: ownProgram('parser'),
    settings: {},
    longestMs: LONGEST_MS,
    onExit: () => void running.delete(parserProcess),
  })
  running.add(parserProcess)
  return parserProcess
}

function rest(): void {
  clearTimeout(idle)
  idle = setTimeout(() => {
    recent.clear()
    for (const each of running) if (!each.isBusy()) void each.end()
  }, IDLE_MS)
  idle.unref()
}

const keyOf = ({ job, path, content, name = '', at = [] }: ParserJob): string =>
  createHash('sha256').update(`${job}\0${path}\0${name}\0${at.join()}\0`).update(content).digest('base64')

const WORDS: Readonly<Record<Unparsed, string>> = {
  nesting: 'its brackets are nested too deeply',
  size: 'it is larger than 1 MB',
  timeout: `parsing took longer than ${LONGEST_MS / 1000} s`,
  memory: 'parsing took too much memory',
  crash: 'the parser ended unexpectedly',
}

/** Returns the reason why a file was not parsed. */
export const wordsForUnparsed = (why: Unparsed): string => WORDS[why]
