import type { CallContext } from '../kernel/tool.ts'
import type { OutputChunk } from '../kernel/run-facts.ts'
import { keptOrigin } from './kept-origin.ts'
import { redactorFor } from './redact-outcome.ts'
import type { Session } from './session.ts'
import type { CallTrace } from './call-trace.ts'

export interface Progress {
  readonly context: Pick<CallContext, 'emit' | 'conceal' | 'keep' | 'next' | 'note' | 'partOf' | 'tell' | 'warn'>
  /** Flushes text held back because it could have started a secret. */
  end(): void
}

interface Listening {
  readonly onOutput?: (chunk: OutputChunk) => void
  readonly onProgress?: (text: string) => void
}

/**
 * Reports what a call does while it runs: output and progress to listeners, without secrets even if one is split, and
 * facts to its record.
 */
export function reportProgress<Engines>(
  session: Session<Engines>,
  trail: CallTrace,
  { onOutput: listener, onProgress }: Listening,
): Progress {
  const conceal = () => redactorFor(session.revealed).stream()
  const keep = (bytes: Buffer) => {
    const redactor = conceal()
    const clean = Buffer.concat([redactor.push(bytes), redactor.end()])
    return `ref:${session.machine.keep(clean, keptOrigin(session, trail))}`
  }
  const next: CallContext['next'] = nextCursor => void (trail.landed = { ...trail.landed, nextCursor })
  const note: CallContext['note'] = facts => void (trail.facts = { ...trail.facts, ...facts })
  const warn: CallContext['warn'] = text => void (trail.warnings = [...(trail.warnings ?? []), text])
  const partOf: CallContext['partOf'] = whole => void (trail.whole = whole)
  const progressContext = onProgress && { tell: (text: string) => onProgress(redactorFor(session.revealed).text(text)) }
  if (listener === undefined)
    return { context: { conceal, keep, next, note, partOf, warn, ...progressContext }, end() {} }
  const way = (stream: OutputChunk['stream']) => {
    const [redactor, decoder] = [conceal(), new TextDecoder()]
    const tell = (text: string) => void (text !== '' && listener({ stream, text }))
    return {
      push: (text: string) => tell(decoder.decode(redactor.push(Buffer.from(text)), { stream: true })),
      end: () => tell(decoder.decode(redactor.end())),
    }
  }
  // Most calls print nothing.
  const ways = new Map<OutputChunk['stream'], ReturnType<typeof way>>()
  return {
    context: {
      conceal,
      keep,
      next,
      note,
      partOf,
      warn,
      ...progressContext,
      emit({ stream, text }) {
        const streamOutput = ways.get(stream) ?? way(stream)
        ways.set(stream, streamOutput)
        streamOutput.push(text)
      },
    },
    end() {
      for (const { end } of ways.values()) end()
    },
  }
}
