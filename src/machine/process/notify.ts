import { spawn } from 'node:child_process'
import { jsonLine } from '../../kernel/json-line.ts'
import type { PendingApproval } from '../../kernel/pending-approval.ts'

/** Whom the user's own configuration tells about a question that has waited. */
export interface Notification {
  readonly afterMs: number
  /** A program and its arguments; it reads the message from its standard input. */
  readonly command?: readonly string[] | undefined
  /** Gets the message as JSON. */
  readonly url?: string | undefined
}

interface NotifyOptions {
  /** The root of the workspace, for the message. */
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Called for each attempt, with why it failed if it did. */
  readonly onSent: (to: 'command' | 'url', problem: string | undefined) => void
}

/** A program or a server that does not end must not outlive the question for long. */
const MOST_MS = 30_000

/** Tells of a question once it has waited for long enough. Returns how to stop before that. */
export function notifyLater(
  { afterMs, command, url }: Notification,
  question: PendingApproval,
  { root, env, onSent }: NotifyOptions,
): () => void {
  const send = (): void => {
    const message = messageOf(question, root)
    if (command) void runCommand(command, message, env).then(problem => onSent('command', problem))
    if (url !== undefined) void postTo(url, message).then(problem => onSent('url', problem))
  }
  const timer = setTimeout(send, afterMs)
  return () => clearTimeout(timer)
}

/** The content of files and the input of the call stay on this machine. */
const messageOf = ({ id, askedAt, until, asker, why, risk, claims }: PendingApproval, workspace: string): string =>
  jsonLine({
    id,
    workspace,
    askedAt,
    ...(until !== undefined && { until }),
    tool: `${asker.contract}/${asker.tool}`,
    ...(asker.client !== undefined && { client: asker.client }),
    ...(asker.agent !== undefined && { agent: asker.agent }),
    task: asker.task,
    why,
    risk,
    claims: claims.map(({ action, resource }) => ({ action, resource })),
    answer: `toolwright approve ${id}`,
  })

/** Runs a program of the user, as the user. Returns why it failed. */
function runCommand(
  [program = '', ...args]: readonly string[],
  message: string,
  env: NotifyOptions['env'],
): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const child = spawn(program, args, { env, stdio: ['pipe', 'ignore', 'ignore'], timeout: MOST_MS, cwd: '/' })
  child.once('error', error => resolve(error.message))
  child.once('exit', (code, signal) =>
    resolve(code === 0 ? undefined : code === null ? `it was ended by ${signal}` : `exit code ${code}`),
  )
  // The call may end before the program does, which may also leave the message unread.
  child.unref()
  child.stdin.on('error', () => {}).end(`${message}\n`)
  return promise
}

/** Follows no redirect: only the address of the configuration gets the message. */
async function postTo(url: string, message: string): Promise<string | undefined> {
  try {
    const { ok, status } = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: message,
      redirect: 'error',
      signal: AbortSignal.timeout(MOST_MS),
    })
    return ok ? undefined : `it answered ${status}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
