import { isMainThread, Worker } from 'node:worker_threads'
import { readFrame, writeFrame } from './frames.ts'

/** Parsers recurse as deep as a text nests. Memory is taken only as far as the stack is used. */
const STACK_MB = 512
/** What is left behind by many texts is collected before it looks like that of one. */
const HEAP_MB = 1024
const [INPUT, OUTPUT] = [0, 1]

/** Gets the settings, and a way to say which text of a list comes next; gives what answers each message. */
export type ParserWork<Settings, Message> = (
  settings: Settings,
  tell: (at: number) => void,
) => (message: Message) => unknown

/** Runs the work of a parser process in a thread of it with a stack that is large enough for any text it is given. */
export async function parserThread<Settings, Message>(
  program: string,
  load: () => Promise<ParserWork<Settings, Message>>,
): Promise<void> {
  if (isMainThread) {
    const thread = new Worker(program, {
      resourceLimits: { stackSizeMb: STACK_MB, maxOldGenerationSizeMb: HEAP_MB },
    })
    thread.on('error', () => process.exit(1))
    thread.on('exit', () => process.exit(0))
    return
  }
  const begin = await load()
  const settings = readFrame(INPUT)
  if (settings === undefined) return
  const work = begin(settings as Settings, at => writeFrame(OUTPUT, { at }))
  for (let message = readFrame(INPUT); message !== undefined; message = readFrame(INPUT))
    writeFrame(OUTPUT, { answer: await work(message as Message) })
}
