import { startParserProcess, type ParserProcess, type PassedProcess, type ProcessSettings } from './parser-process.ts'

export interface ReleasedProcess extends ParserProcess {
  /** Leaves it to the next owner, for a while. Ends one that has work or much memory. */
  release(): Promise<void>
}

/** A build leaves a process with several times the memory that a change needs, and the grammars of all languages. */
const LARGE_BYTES = 128 * 1024 ** 2

export const isLarge = (process: ParserProcess): boolean => process.bytes() > LARGE_BYTES

const SPARE_MS = 10_000
const MOST_SPARE = 2

/** Processes without an owner, the kind of each, and when it ends. */
const spares = new Map<PassedProcess, { readonly kind: string; readonly end: NodeJS.Timeout }>()

interface Owner extends ProcessSettings {
  readonly kind: string
  /** Takes over no released process. */
  readonly isNew?: boolean
}

/** Takes over a released process of this program and kind, or starts one, which takes longer than parsing most files. */
export function takeParserProcess(owner: Owner): ReleasedProcess {
  const kind = `${owner.kind} ${owner.program}`
  const process = owner.isNew ? undefined : spareOf(kind)
  process?.serve(owner)
  const parserProcess = process ?? startParserProcess(owner)
  return { ...parserProcess, release: () => release(parserProcess, kind) }
}

function spareOf(kind: string): PassedProcess | undefined {
  for (const [process, spare] of spares)
    if (spare.kind === kind) {
      forget(process)
      return process
    }
  return undefined
}

async function release(process: PassedProcess, kind: string): Promise<void> {
  if (process.isBusy() || isLarge(process)) return process.end()
  // Its owner may remove its files now, so it has to have closed them.
  if (!(await process.leave(() => forget(process)))) return
  for (const [oldest] of [...spares].slice(0, spares.size - MOST_SPARE + 1)) endSpare(oldest)
  spares.set(process, { kind, end: setTimeout(() => endSpare(process), SPARE_MS).unref() })
}

function endSpare(process: PassedProcess): void {
  forget(process)
  void process.end()
}

function forget(process: PassedProcess): void {
  clearTimeout(spares.get(process)?.end)
  spares.delete(process)
}
