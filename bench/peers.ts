import { spawn, type ChildProcess } from 'node:child_process'
import { rgPath } from '@vscode/ripgrep'

/** Runs a program to its end. Returns how many lines it printed; rejects if it fails. */
export async function run(program: string, args: readonly string[], cwd: string): Promise<number> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let lines = 0
  child.stdout.on('data', (bytes: Buffer) => {
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++
  })
  await ended(child)
  return lines
}

/** Waits for the end of a program. Rejects with what it said if it failed: programs that search end with 1 if they find nothing. */
export function ended(child: ChildProcess): Promise<void> {
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => void (said += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', code => {
      if (code !== null && code < 2) resolve()
      else reject(new Error(`${child.spawnargs.join(' ')} ended with ${code ?? child.signalCode}: ${said}`))
    })
  })
}

export interface Question {
  readonly pattern: string
  readonly regex?: boolean
  readonly ignoreCase?: boolean
}

/** ripgrep on the same files with the same lines; its order costs it one thread, so it may take any. */
export const ripgrep = (cwd: string, question: Question): Promise<number> => run(rgPath, ripgrepArgs(question), cwd)

export const ripgrepArgs = ({ pattern, regex, ignoreCase }: Question): readonly string[] => {
  const flags = [...(regex ? [] : ['-F']), ...(ignoreCase ? ['-i'] : [])]
  return ['--no-config', '--hidden', '--glob=!.git', '--crlf', '-n', ...flags, '-e', pattern, '.']
}

export const gitGrep = (cwd: string, { pattern, regex, ignoreCase }: Question): Promise<number> =>
  run('git', ['grep', '-n', '-I', regex ? '-P' : '-F', ...(ignoreCase ? ['-i'] : []), '-e', pattern], cwd)
