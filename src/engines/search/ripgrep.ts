import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { ToolError } from '../../kernel/error.ts'
import type { Root } from '../workspace/root.ts'

export interface RipgrepRun {
  /** Workspace-relative directory to search from; the program never sees another. */
  readonly directory: string
  readonly args: readonly string[]
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /** Called for each line of output; false ends the search. */
  readonly onLine: (line: string) => boolean | void
}

export interface RipgrepEnd {
  readonly timedOut: boolean
  /** What it complained about, where it could not search at all. */
  readonly complaint?: string
}

/** The environment holds nothing that could change what ripgrep does. */
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' }

/** Runs ripgrep in a directory of the workspace that is held while it starts, so that nobody can swap it. */
export async function runRipgrep(root: Root, run: RipgrepRun): Promise<RipgrepEnd> {
  const program = await ripgrepPath()
  const located = root.resolve(run.directory === '.' ? '.' : `${run.directory}/.`)
  const child = spawn(program, ['--no-config', ...run.args], {
    // The child resolves this before we let go of the directory.
    cwd: `/proc/${process.pid}/fd/${located.dir}`,
    env: ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  located.release()
  let timedOut = false
  let complaint = ''
  const end = () => void child.kill('SIGKILL')
  const timer = setTimeout(() => {
    timedOut = true
    end()
  }, run.timeoutMs)
  run.signal?.addEventListener('abort', end, { once: true })
  child.stderr.on('data', (chunk: Buffer) => {
    if (complaint.length < 4096) complaint += chunk.toString()
  })
  const closed = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  try {
    for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity }))
      if (run.onLine(line) === false) end()
    const code = await closed
    return { timedOut, ...(code === 2 && { complaint: complaint.trim() }) }
  } finally {
    clearTimeout(timer)
    run.signal?.removeEventListener('abort', end)
  }
}

async function ripgrepPath(): Promise<string> {
  try {
    return (await import('@vscode/ripgrep')).rgPath
  } catch (cause) {
    throw new ToolError('unavailable', 'Searching needs ripgrep, which is not installed', {
      hint: 'npm install @vscode/ripgrep',
      cause,
    })
  }
}
