import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createInterface } from 'node:readline/promises'
import type { PendingApproval } from '../../src/kernel/pending-approval.ts'
import type { TemporaryWorkspace } from '../../src/testing/index.ts'
import { CLI } from '../cli-program.ts'

type Place = Pick<TemporaryWorkspace, 'path' | 'env'>

export interface Ended {
  readonly code: number | null
  readonly out: string
}

/** The real command as a process of its own, with all that it prints. */
export function startCommand({ path, env }: Place, args: readonly string[]) {
  const child = spawn(process.execPath, [CLI, ...args], { cwd: path, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (out += chunk))
  return { child, ended: once(child, 'close').then(([code]): Ended => ({ code, out })) }
}

/** `toolwright serve` as a process of its own. */
export interface ServingProcess {
  readonly child: ChildProcess
  readonly url: string
  /** The person's own token. */
  readonly token: string
  request(method: 'GET' | 'POST', path: string, body?: object, token?: string): Promise<Response>
  /** One question, also after it was closed. */
  question(id: string): Promise<PendingApproval>
  /** The open questions. */
  questions(): Promise<readonly PendingApproval[]>
  /** Ends it as a crash does, at once. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export async function startServing({ path, env }: Place): Promise<ServingProcess> {
  const child = spawn(process.execPath, [CLI, 'serve', '--json'], {
    cwd: path,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // Not 'close', which waits for whatever else holds its output.
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const [line] = await Promise.race([once(lines, 'line'), ended.then(() => ['{}'])])
  const { url, tokenFile } = JSON.parse(line)
  const token = readFileSync(tokenFile, 'utf8').trim()
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal)
    await ended
  }
  const request: ServingProcess['request'] = (method, target, body, sentToken = token) =>
    fetch(url + target, {
      method,
      headers: { authorization: `Bearer ${sentToken}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  return {
    child,
    url,
    token,
    request,
    question: async id => Object(await (await request('GET', `/v1/approvals/${id}`)).json()),
    questions: async () => Object(await (await request('GET', '/v1/approvals')).json()).approvals,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

const MOST_MS = 120_000

/** Waits for the question of a call. */
export async function nextQuestion({ questions }: Pick<ServingProcess, 'questions'>): Promise<PendingApproval> {
  for (const until = performance.now() + MOST_MS; performance.now() < until; await pause(10)) {
    const [question] = await questions()
    if (question) return question
  }
  throw new Error('nothing was asked')
}
