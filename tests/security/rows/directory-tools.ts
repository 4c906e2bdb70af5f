import { z } from 'zod'
import { defineTool, type Engines } from '../../../src/engines/engines.ts'
import { commit } from '../../../src/engines/workspace/commit.ts'
import { openWorkspace } from '../../../src/engines/workspace/open-workspace.ts'
import { createReadMemory } from '../../../src/engines/workspace/read-memory.ts'
import { createStaging } from '../../../src/engines/workspace/staging.ts'
import type { Entry, Workspace } from '../../../src/engines/workspace/workspace.ts'
import type { Workplace } from '../../../src/engines/workplace.ts'
import { creates, reads, type Claim } from '../../../src/kernel/claim.ts'
import type { Contract } from '../../../src/kernel/contract.ts'
import { ToolError } from '../../../src/kernel/error.ts'
import { standInContract } from '../stand-in-contract.ts'

/**
 * Stands for the tools that later parts bring: list, stat, mkdir, glob, grep and a command's working directory.
 * Each one claims what the real one will claim and works through the same workspace, so that the path gate and the
 * policy that decide here are the real ones. When a real tool exists, it takes the place of its entry.
 */
export function directoryTools(workplace: () => Workplace): Contract<Engines> {
  const everything = (): { ws: Workspace; land: () => void } => {
    const { root, store } = workplace()
    const staging = createStaging()
    const grant: Claim[] = [
      { action: 'read', resource: '**' },
      { action: 'write', resource: '**' },
    ]
    const ws = openWorkspace(root, { grant, staging, memory: createReadMemory() })
    return { ws, land: () => void commit(root, store, staging.toOperations(), { id: 'standin' }) }
  }
  const looks = (name: string, look: (ws: Workspace, path: string) => unknown, places = (path: string) => [path]) =>
    defineTool({
      name,
      version: '1.0.0',
      description: `Stands for ${name}.`,
      input: z.strictObject({ path: z.string() }),
      output: z.unknown(),
      effects: ['read'],
      claims: ({ path }) => reads(...places(path)),
      run: ({ path }) => look(everything().ws, path),
      examples: [],
    })
  return standInContract(
    looks('list', (ws, path) => ws.list(path).map(show)),
    looks('stat', (ws, path) => show(there(ws, path))),
    looks('shell_cwd', (ws, path) => show(directory(ws, path))),
    looks('grep', (ws, path) => linesBelow(ws, there(ws, path), '')),
    looks(
      'grep_pattern',
      (ws, pattern) => linesBelow(ws, there(ws, '.'), pattern),
      () => ['.'],
    ),
    looks('glob', (ws, pattern) => globPlaces(pattern).flatMap(place => ws.list(place).map(show)), globPlaces),
    defineTool({
      name: 'mkdir',
      version: '1.0.0',
      description: 'Stands for mkdir.',
      input: z.strictObject({ path: z.string() }),
      output: z.unknown(),
      // It lands by itself, so that it must not run for a preview: as a command would not.
      effects: ['create', 'exec'],
      claims: ({ path }) => creates(path),
      run({ path }) {
        const { ws, land } = everything()
        const made = ws.makeDirectory(path)
        land()
        return made
      },
      examples: [],
    }),
  )
}

const show = ({ path, type, size }: Entry) => ({ path, type, size })

function there(ws: Workspace, path: string): Entry {
  const entry = ws.stat(path)
  if (!entry) throw new ToolError('not_found', 'There is nothing')
  return entry
}

function directory(ws: Workspace, path: string): Entry {
  const entry = there(ws, path)
  if (entry.type !== 'directory') throw new ToolError('not_a_directory', 'This is no directory')
  return entry
}

/** Matching lines of all files at or below a place; links met on the way are not followed. */
function linesBelow(ws: Workspace, { path, type }: Entry, pattern: string): string[] {
  if (type === 'directory') return ws.list(path).flatMap(child => linesBelow(ws, child, pattern))
  if (type !== 'file') return []
  const lines = ws.read(path).bytes.toString().split('\n')
  return lines.filter(line => line.includes(pattern)).map(line => `${path}: ${line}`)
}

const LARGEST_ALTERNATIVES = 100

/** The directories in which a glob begins to look, one for each alternative of its braces; `..` after a wildcard is refused. */
function globPlaces(pattern: string): string[] {
  return alternatives(pattern).map(alternative => {
    const names = alternative.split('/')
    const wild = names.findIndex(name => /[*?[\]]/.test(name))
    if (wild >= 0 && names.slice(wild).includes('..'))
      throw new ToolError('invalid_input', "'..' cannot follow a wildcard")
    const fixed = names.slice(0, wild < 0 ? -1 : wild).join('/')
    return fixed === '' ? (alternative.startsWith('/') ? '/' : '.') : fixed
  })
}

function alternatives(pattern: string): string[] {
  const [whole, inside = ''] = /\{([^{}]*)\}/.exec(pattern) ?? []
  if (whole === undefined) return [pattern]
  const all = inside.split(',').flatMap(part => alternatives(pattern.replace(whole, () => part)))
  if (all.length > LARGEST_ALTERNATIVES) throw new ToolError('invalid_input', 'Too many alternatives')
  return all
}
