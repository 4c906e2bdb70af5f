import { text } from 'node:stream/consumers'
import { openSandbox, type SandboxOptions } from '../../src/engines/process/sandbox/open-sandbox.ts'
import type { Exit, Sandbox, SandboxReport, SandboxSpec } from '../../src/engines/process/sandbox/types.ts'

/** What one command in the sandbox came to. */
export interface Answer {
  readonly stdout: string
  readonly stderr: string
  readonly exit?: Exit
  readonly failure?: { readonly code: string; readonly message: string; readonly hint: string }
  readonly ms: number
}

export interface Order {
  readonly options: SandboxOptions
  readonly specs: readonly SandboxSpec[]
}

export interface Delivery {
  readonly report: SandboxReport
  readonly answers: readonly Answer[]
}

// A process of its own: as whoever it was started, and with whatever descriptors it was left.
const { options, specs }: Order = JSON.parse(await text(process.stdin))
const sandbox = openSandbox(options)
const answers: Answer[] = []
for (const spec of specs) answers.push(await answer(sandbox, spec))
const delivery: Delivery = { report: sandbox.report(), answers }
console.log(JSON.stringify(delivery))

async function answer(from: Sandbox, spec: SandboxSpec): Promise<Answer> {
  const before = performance.now()
  const read = { stdout: '', stderr: '' }
  const done = (more: Pick<Answer, 'exit' | 'failure'>) => ({ ...read, ...more, ms: performance.now() - before })
  try {
    const started = from.start(spec)
    for (const name of ['stdout', 'stderr'] as const)
      started[name].on('data', (chunk: Buffer) => {
        read[name] += chunk.toString()
        if (read[name].length > spec.limits.outputBytes) started.end('output')
      })
    return done({ exit: await started.exit })
  } catch (error) {
    const { code = '', message = '', hint = '' } = error as { code?: string; message?: string; hint?: string }
    return done({ failure: { code, message, hint } })
  }
}
