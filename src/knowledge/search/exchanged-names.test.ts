import type * as processes from 'node:child_process'
import { cpSync, readlinkSync, renameSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { compileGlob } from '../../guards/glob.ts'
import { readsBelow } from '../../kernel/claim.ts'
import { temporaryWorkspace } from '../../testing/temporary-workspace.ts'
import { openRoot } from '../../machine/workspace/root.ts'
import { createStaging } from '../../machine/workspace/staging.ts'
import { openSearch } from './open-search.ts'
import type { GrepOptions } from './types.ts'

/** Where ripgrep looks instead of the workspace, as if a name there were a link at the worst moments. */
const played = vi.hoisted((): { cwd?: (asked: string) => string; starts: number } => ({ starts: 0 }))
vi.mock('node:child_process', async original => {
  const real = await original<typeof processes>()
  const spawn = (program: string, args: readonly string[], options: { readonly cwd: string }) => {
    played.starts++
    return real.spawn(program, args, { ...options, cwd: played.cwd?.(options.cwd) ?? options.cwd })
  }
  return { ...real, spawn }
})

/** Names that were a link for a while: exchanged, read through, and exchanged back before ripgrep ended. */
const SWAPPED = ['dir', 'dir/sub', 'dir/sub/a.txt', 'dir/b.txt', 'top.txt', 'other/deep/er/c.txt', 'other/deep']
const SEARCHES: readonly Partial<GrepOptions>[] = [
  {},
  { only: 'files' },
  { only: 'counts' },
  { onlyMatching: true },
  { multiline: true, patterns: ['CANARY[^z]*last'] },
  { invert: true, patterns: ['inside|last'] },
  { before: 1, patterns: ['last'] },
  { directory: 'dir' },
  { directory: 'dir/sub' },
  { directory: 'dir/sub/a.txt' },
]

/** A search of a workspace in which `name` leads to other files of the same names while ripgrep runs. */
async function exchanged(name: string, work: (search: ReturnType<typeof openSearch>) => Promise<void>) {
  const paths = ['dir/sub/a.txt', 'dir/b.txt', 'top.txt', 'other/deep/er/c.txt']
  await using workspace = temporaryWorkspace(Object.fromEntries(paths.map(path => [path, 'inside\nlast\n'])))
  const base = workspace.path
  const seen = join(workspace.base, 'seen')
  cpSync(base, seen, { recursive: true })
  const others = name.endsWith('.txt') ? [name] : [...paths.filter(path => path.startsWith(name)), `${name}/CANARY.txt`]
  for (const path of others) writeFileSync(join(seen, path), 'CANARY\nlast\n')
  // Names that changed a moment ago are never trusted; these are old.
  await sleep(100)
  played.cwd = asked => {
    const held = asked.startsWith('/proc/') ? readlinkSync(asked) : asked
    if (!join(base, name).startsWith(`${held}/`)) return asked
    renameSync(join(base, name), join(base, `${name}.away`))
    renameSync(join(base, `${name}.away`), join(base, name))
    return join(seen, relative(base, held))
  }
  const root = openRoot(base)
  const search = openSearch({
    root,
    staging: createStaging(),
    claims: readsBelow('.'),
    mayRead: () => true,
    mayList: () => true,
    secretFiles: 'open',
    hides: undefined,
    compileGlob,
    reference: () => Buffer.alloc(0),
  })
  try {
    await work(search)
  } finally {
    root.close()
    delete played.cwd
  }
}

it.each(SWAPPED)('finds no line of other files that %s led to for a while', async name => {
  await exchanged(name, async search => {
    for (const options of SEARCHES) {
      played.starts = 0
      const asked = { patterns: ['CANARY'], regex: true, maxResults: 100, timeoutMs: 60_000, ...options }
      const found = await search.grep(asked)
      expect({ options, ran: played.starts > 0 }).toEqual({ options, ran: true })
      expect({ options, text: JSON.stringify(found) }).not.toMatchObject({ text: expect.stringContaining('CANARY') })
      if (options.before === undefined) expect({ options, ...found }).toMatchObject({ total: 0, filesFound: 0 })
    }
  })
})

it.each(SWAPPED)('lists no name of other files that %s led to for a while', async name => {
  await exchanged(name, async search => {
    for (const [from, glob] of [
      ['.', '**'],
      ['dir', '**'],
      ['dir/sub', '*.txt'],
    ] as const) {
      const signal = AbortSignal.timeout(60_000)
      const { files, total } = await search.find(from, glob, { maxResults: 100, maxDepth: 20, signal })
      expect({ from, files: files.filter(path => path.includes('CANARY')) }).toEqual({ from, files: [] })
      expect(total).toBe(files.length)
    }
  })
})
