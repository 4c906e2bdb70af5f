import type { PathRow } from './paths.ts'

interface Step {
  readonly tool: string
  readonly input: unknown
}

/** One tool that has a verb, and how a path and the first line of what is there become a call of it. */
export interface Route {
  readonly name: string
  readonly contract: 'toolwright' | 'sage' | 'cli-agent'
  /** A tool that stands for one of a later part. */
  readonly standIn?: true
  /** `first`: what somebody who means well does before. */
  call(path: unknown, line: string): Step & { readonly first?: Step }
}

const ours = (verb: string, call: Route['call']): Route => ({
  name: `toolwright/${verb}`,
  contract: 'toolwright',
  call,
})
const agents = (tool: string, input: (path: unknown) => unknown): Route => ({
  name: `cli-agent/${tool}`,
  contract: 'cli-agent',
  call: path => ({ tool, input: input(path) }),
})
const theirs = (verb: string, call: Route['call']): Route => ({ name: `sage/${verb}`, contract: 'sage', call })
const standIn = (tool: string): Route => ({
  name: tool,
  contract: 'toolwright',
  standIn: true,
  call: path => ({ tool, input: { path } }),
})

const ROUTES: Readonly<Record<string, readonly Route[]>> = {
  read: [
    ours('read', path => ({ tool: 'read', input: { path } })),
    theirs('Read', path => ({ tool: 'Read', input: { file: path } })),
  ],
  write: [
    ours('write', path => ({
      first: { tool: 'read', input: { path } },
      tool: 'write',
      input: { path, content: 'written\n' },
    })),
    theirs('Write', path => ({ tool: 'Write', input: { file: path, content: 'written\n' } })),
  ],
  edit: [
    ours('edit', (path, line) => ({
      tool: 'edit',
      input: { path, edits: [{ old: line || 'x', new: `${line} edited` }] },
    })),
    theirs('Edit', (path, line) => ({ tool: 'Edit', input: { file: path, patch: hunk(line) } })),
  ],
  patch: [
    ours('patch', (path, line) => ({ tool: 'patch', input: { diff: patchOf(path, line) } })),
    theirs('Edit', (path, line) => ({ tool: 'Edit', input: { file: path, patch: hunk(line) } })),
  ],
  delete: [ours('delete', path => ({ tool: 'delete', input: { path } }))],
  move_src: [ours('move', path => ({ tool: 'move', input: { from: path, to: 'moved-here.txt' } }))],
  move_dst: [ours('move', path => ({ tool: 'move', input: { from: 'a.txt', to: path } }))],
  list: [agents('list_dir', path => ({ path }))],
  stat: [standIn('stat')],
  mkdir: [agents('create_directory', path => ({ path }))],
  glob: [agents('file_search', searchFrom)],
  grep: [ours('grep', path => ({ tool: 'grep', input: { pattern: 'e', path } }))],
  shell_cwd: [ours('run', path => ({ tool: 'run', input: { argv: ['pwd'], cwd: path } }))],
}

/** A glob looks for names on the way down, so only one that leaves the workspace by its spelling is a path. */
const BY_GLOB: Route = agents('grep_search', path => ({ pattern: 'e', file_pattern: path }))

/** A grep of class `walk` gives the pattern to look for in the whole workspace; every other row gives a path. */
export function routesOf({ op, path, class: kind }: PathRow): readonly Route[] {
  if (op === 'grep' && typeof path === 'string' && /^\/|(^|\/)\.\.(\/|$)/.test(path))
    return [...(ROUTES[op] ?? []), BY_GLOB]
  if (op === 'grep' && kind === 'walk') return [agents('grep_search', pattern => ({ pattern }))]
  return ROUTES[op] ?? []
}

/** A glob with its fixed directories as the place to search from. */
function searchFrom(glob: unknown): unknown {
  if (typeof glob !== 'string') return { pattern: glob }
  const names = glob.split('/')
  const fixed = names.findIndex((name, at) => at === names.length - 1 || /[*?[\]{}]/.test(name))
  return { ...(fixed > 0 && { base_path: names.slice(0, fixed).join('/') }), pattern: names.slice(fixed).join('/') }
}

const hunk = (line: string): string => `@@ -1 +1 @@\n-${line || 'x'}\n+${line} patched\n`

/** The form whose names are taken as they stand; a name that it cannot hold goes quoted into a unified diff. */
function patchOf(path: unknown, line: string): unknown {
  if (typeof path !== 'string') return path
  if (!/[\n\r]/.test(path))
    return `*** Begin Patch\n*** Update File: ${path}\n@@\n-${line || 'x'}\n+${line} patched\n*** End Patch\n`
  return `--- ${JSON.stringify(`a/${path}`)}\n+++ ${JSON.stringify(`b/${path}`)}\n${hunk(line)}`
}
