import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { at, root } from '../root.mjs'
import { run } from '../run.mjs'
import { countedIn, type Counted } from './covered-files.ts'

const edits = [{ old: '10', new: '12' }]

/** An ordinary call of each kind. It waits for complete effects, because the count would vary at a deadline. */
export const COUNTED_CALLS = {
  read: ['read', { path: 'notes.txt' }],
  edit: ['edit', { path: 'notes.txt', edits }],
  'edit of code': ['edit', { path: 'price.ts', edits, effects: 'complete' }],
  grep: ['grep', { pattern: 'price' }],
  run: ['run', { command: 'echo done' }],
} as const

export type CountedCall = keyof typeof COUNTED_CALLS

/** How the call is made: by `toolwright call`, which ends with it, in a session that could make others, over MCP, or by a tool of a document with a time quota. */
export type Way = 'command' | 'library' | 'mcp' | 'document'

/** Returns the files that one call loads in a new process, without threads and child processes, in a project with this configuration. */
export async function loadedFiles(call: CountedCall, way: Way, config?: object): Promise<Counted> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-house-')))
  try {
    const workspace = join(base, 'workspace')
    mkdirSync(workspace)
    for (const file of ['notes.txt', 'price.ts']) writeFileSync(join(workspace, file), 'export const price = 10\n')
    if (config) writeFileSync(join(workspace, 'toolwright.json'), JSON.stringify(config))
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
  if (way === 'document') return ['scripts/house/call-document-tool.ts']
  if (way === 'mcp') return ['scripts/house/make-mcp-call.ts', ...words]
  if (way === 'library') return ['scripts/house/make-call.ts', ...words]
  return ['src/surfaces/cli/main.ts', 'call', ...words, '--allow', 'exec', '--allow', 'fs:write']
}

/** Each process writes its own file; ours is the one that ran the script. */
function ofProcess(folder: string, script: string): Counted {
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    const { files, has } = countedIn(result, root)
    if (has(script)) return files
  }
  throw new Error(`No coverage was taken of ${script}`)
}
