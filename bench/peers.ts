import { spawn } from 'node:child_process'
import { rgPath } from '@vscode/ripgrep'

/** Runs a program to its end and reads what it prints, without looking at it. */
export function run(program: string, args: readonly string[], cwd: string, env = process.env): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] })
    let lines = 0
    child.stdout.on('data', (bytes: Buffer) => {
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++
    })
    child.on('error', reject).on('close', () => resolve(lines))
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
