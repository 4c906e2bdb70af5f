import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { quoteArgv } from '../../src/kernel/shell-quote.ts'
import { CLI } from '../mcp/connect.ts'
import { CONTENT, FILE } from './tasks.ts'

/** A person's home with one project in it, and nothing of the user who runs this. */
export interface World extends Disposable {
  readonly base: string
  readonly home: string
  readonly project: string
  readonly env: Readonly<Record<string, string>>
  /** Puts a file into the home, or into the project. */
  write(path: string, text: string): void
  /** The file that the tasks are about. */
  prices(): string
}

/** What the pages call the project. */
export const PROJECT = '/home/ann/shop'

/** Programs are commands of the shell: name → what it starts. */
export function makeWorld(programs: Readonly<Record<string, readonly [string, ...string[]]>>): World {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'clients-')))
  const [home, bin] = [join(base, 'ann'), join(base, 'bin')]
  const project = join(home, 'shop')
  // Codex refuses a home below the directory for temporary files.
  const env = {
    HOME: home,
    USER: 'ann',
    TMPDIR: join(base, 'tmp'),
    PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`,
  }
  for (const folder of [bin, project, env.TMPDIR]) mkdirSync(folder, { recursive: true })
  const toolwright = [process.execPath, CLI] as const
  for (const [name, argv] of Object.entries({ ...programs, toolwright }))
    writeFileSync(join(bin, name), `#!/bin/sh\nexec ${quoteArgv(argv)} "$@"\n`, { mode: 0o755 })
  writeFileSync(join(project, FILE), CONTENT)
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: project, env })
  return {
    base,
    home,
    project,
    env,
    write(path, text) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    },
    prices: () => readFileSync(join(project, FILE), 'utf8'),
    [Symbol.dispose]() {
      execFileSync(join(bin, 'toolwright'), ['up', '--stop'], { cwd: project, env, stdio: 'ignore' })
      rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}
