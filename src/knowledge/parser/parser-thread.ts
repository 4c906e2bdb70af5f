import { flushCompileCache } from 'node:module'
import { isMainThread, Worker } from 'node:worker_threads'
import { readFrame, writeFrame } from './frames.ts'
import { HEAP_MB, hasLargeStack, STACK_MB } from './stack.ts'

const [INPUT, OUTPUT] = [0, 1]

/** The work of a parser process. */
interface ParserWork {
  answer(message: never): unknown
  /** Closes what it holds open. */
  close?(): void
}

/** Messages to a parser process. Only settings have no answer. */
export type ToParser =
  /** Selects the work, the next one after it is closed. */
  { readonly settings: unknown } | { readonly message: unknown } | { readonly close: true }

/**
 * Runs the work of a parser process with a stack large enough for any text: in its main thread if that has one, else in
 * another.
 */
export async function parserThread<Settings>(
  program: string,
  load: (settings: Settings, tell: (at: number) => void) => Promise<ParserWork>,
): Promise<void> {
  if (isMainThread && !hasLargeStack()) {
    const thread = new Worker(program, {
      resourceLimits: { stackSizeMb: STACK_MB, maxOldGenerationSizeMb: HEAP_MB },
    })
    thread.on('error', () => process.exit(1))
    thread.on('exit', () => process.exit(0))
    return
  }
  let work: ParserWork | undefined
  for (let frame = next(); frame; frame = next()) {
    if ('settings' in frame) {
      work = await load(frame.settings as Settings, at => writeFrame(OUTPUT, { at }))
      continue
    }
    writeFrame(OUTPUT, { answer: 'close' in frame ? work?.close?.() : await work?.answer(frame.message as never) })
    // Otherwise kept when the process ends, but this one is killed.
    flushCompileCache()
  }
}

const next = (): ToParser | undefined => readFrame(INPUT) as ToParser | undefined
