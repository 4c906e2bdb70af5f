import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { at, root } from '../root.mjs'
import { run } from '../run.mjs'
import { countedIn, type Counted } from './counted.ts'

const edits = [{ old: '10', new: '12' }]

/** An ordinary call of each kind. What a change of code breaks is waited for: at its deadline the count would vary. */
export const COUNTED_CALLS = {
  read: ['read', { path: 'notes.txt' }],
  edit: ['edit', { path: 'notes.txt', edits }],
  'edit of code': ['edit', { path: 'price.ts', edits, effects: 'complete' }],
  grep: ['grep', { pattern: 'price' }],
  run: ['run', { command: 'echo done' }],
} as const

export type CountedCall = keyof typeof COUNTED_CALLS

/** The ways in: `toolwright call`, which ends with its call, and a session that could make others. */
export type Way = 'command' | 'library'

/** What one call loads in a new process that makes nothing but this call; its threads and children do not count. */
export async function loadedFiles(call: CountedCall, way: Way): Promise<Counted> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-house-')))
  try {
    const workspace = join(base, 'workspace')
    mkdirSync(workspace)
    for (const file of ['notes.txt', 'price.ts']) writeFileSync(join(workspace, file), 'export const price = 10\n')
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: join(base, 'home'),
      TOOLWRIGHT_STATE: join(base, 'state'),
      TOOLWRIGHT_CONFIG_HOME: join(base, 'config'),
      NODE_V8_COVERAGE: join(base, 'coverage'),
    }
    const [script, ...args] = commandLine(call, way)
    const flags = ['--disable-warning=ExperimentalWarning', at(script)]
    const { code, output } = await run(process.execPath, [...flags, ...args], { cwd: workspace, env })
    if (code !== 0) throw new Error(`Cannot count a call of ${call}:\n${output}`)
    return ofProcess(env.NODE_V8_COVERAGE, script)
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

function commandLine(call: CountedCall, way: Way): readonly [script: string, ...args: readonly string[]] {
  const [tool, input] = COUNTED_CALLS[call]
  const words = [tool, JSON.stringify(input)]
  if (way === 'library') return ['scripts/house/make-call.ts', ...words]
  return ['src/surfaces/cli/main.ts', 'call', ...words, '--allow', 'exec', '--allow', 'fs:write']
}

/** Each process leaves a file of its own; ours is the one that ran the script. */
function ofProcess(folder: string, script: string): Counted {
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    const { files, has } = countedIn(result, root)
    if (has(script)) return files
  }
  throw new Error(`No coverage was taken of ${script}`)
}
