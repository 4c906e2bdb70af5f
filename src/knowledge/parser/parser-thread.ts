import { isMainThread, Worker } from 'node:worker_threads'
import { readFrame, writeFrame } from './frames.ts'

/** Parsers recurse as deep as a text nests. Only the used part of the stack takes memory. */
const STACK_MB = 512
/** Garbage of many texts is collected before it looks like the memory of one. */
const HEAP_MB = 1024
const [INPUT, OUTPUT] = [0, 1]

/**
 * Runs the work of a parser process in a thread with a stack large enough for any text. The settings select the work.
 */
export async function parserThread<Settings>(
  program: string,
  load: (settings: Settings, tell: (at: number) => void) => Promise<(message: never) => unknown>,
): Promise<void> {
  if (isMainThread) {
    const thread = new Worker(program, {
      resourceLimits: { stackSizeMb: STACK_MB, maxOldGenerationSizeMb: HEAP_MB },
    })
    thread.on('error', () => process.exit(1))
    thread.on('exit', () => process.exit(0))
    return
  }
  const settings = readFrame(INPUT)
  if (settings === undefined) return
  const work = await load(settings as Settings, at => writeFrame(OUTPUT, { at }))
  for (let message = readFrame(INPUT); message !== undefined; message = readFrame(INPUT))
    writeFrame(OUTPUT, { answer: await work(message as never) })
}
