import { createInterface } from 'node:readline'
import { openSandbox, type SandboxOptions } from '../../src/machine/process/sandbox/open-sandbox.ts'
import type { Exit, Sandbox, SandboxReport, SandboxSpec, StartGuard } from '../../src/machine/process/sandbox/types.ts'

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
  readonly reports?: boolean
  /** Programs that are judged when they start; one with the argument `refused` is. */
  readonly guarded?: readonly string[]
  /** Says a word before each command. */
  readonly tells?: boolean
}

export interface Delivery {
  /** Where it was asked for: it tries out more than a command needs. */
  readonly report?: SandboxReport
  readonly answers: readonly Answer[]
}

// A separate process, with the user and the descriptors that it was started with.
for await (const line of createInterface(process.stdin)) {
  const order: Order = JSON.parse(line)
  console.log(JSON.stringify(await delivery(order)))
}

async function delivery({ options, specs, reports, guarded, tells }: Order): Promise<Delivery> {
  const sandbox = openSandbox(options)
  const answers: Answer[] = []
  for (const [at, spec] of specs.entries()) {
    if (tells) console.log(`command ${at}`)
    answers.push(await answer(sandbox, guarded ? { ...spec, starts: guardOf(guarded) } : spec))
  }
  return { answers, ...(reports && { report: sandbox.report() }) }
}

function guardOf(programs: readonly string[]): StartGuard {
  return {
    programs,
    programOf: file => programs.find(name => name === file),
    judge: ({ args, chain }) => (args.includes('refused') ? `refused after ${chain().length}` : undefined),
  }
}

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
