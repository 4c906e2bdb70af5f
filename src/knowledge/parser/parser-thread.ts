import { flushCompileCache } from 'node:module'
import { isMainThread, Worker } from 'node:worker_threads'
import { readFrame, writeFrame } from './frames.ts'
import { HEAP_MB, hasLargeStack, STACK_MB } from './stack.ts'

const [INPUT, OUTPUT] = [0, 1]

/**
 * Runs the work of a parser process with a stack large enough for any text: in its main thread if that has one, else in
 * another. The settings select the work.
 */
export async function parserThread<Settings>(
  program: string,
  load: (settings: Settings, tell: (at: number) => void) => Promise<(message: never) => unknown>,
): Promise<void> {
  if (isMainThread && !hasLargeStack()) {
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
  for (let message = readFrame(INPUT); message !== undefined; message = readFrame(INPUT)) {
    writeFrame(OUTPUT, { answer: await work(message as never) })
    // Otherwise kept when the process ends, but this one is killed.
    flushCompileCache()
  }
}
