import type * as processes from 'node:child_process'
import type * as fs from 'node:fs'
import type * as promised from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { FILES, shop } from './world.ts'

/** Every look at a name or into a directory, and every program that could look. */
const looks = vi.hoisted(() => {
  const seen: string[] = []
  const LOOKS = /^(?:readdir|opendir|scandir|glob|stat|lstat|open|access|exists|realpath|readlink|readFile)(?:Sync)?$/
  const counted = <Module extends object>(real: Module, which: RegExp): Module =>
    Object.fromEntries(
      Object.entries(real).map(([name, value]) => [
        name,
        typeof value === 'function' && which.test(name)
          ? // Whatever hangs on it, such as `realpathSync.native`, stays.
            Object.assign((...args: unknown[]): unknown => {
              seen.push(`${name} ${String(args[0])}`)
              return Reflect.apply(value, undefined, args)
            }, value)
          : value,
      ]),
    ) as Module
  return { seen, counted, LOOKS }
})
vi.mock('node:fs', async original => looks.counted(await original<typeof fs>(), looks.LOOKS))
vi.mock('node:fs/promises', async original => looks.counted(await original<typeof promised>(), looks.LOOKS))
vi.mock('node:child_process', async original =>
  looks.counted(await original<typeof processes>(), /^(?:spawn|exec|fork)/),
)

it('SC-05: no query walks the file system, nor looks at a file that did not change: the index is built ahead', async () => {
  const { workspace, call } = await shop(
    Object.fromEntries(Object.entries(FILES).map(([path, text]) => [`boutique/${path}`, text])),
  )
  const looked = async (tool: string, input: object): Promise<readonly string[]> => {
    looks.seen.length = 0
    expect(await call(tool, input)).not.toHaveProperty('error')
    return looks.seen.filter(look => /^(?:readdir|opendir|scandir|glob|spawn|exec|fork)|\bboutique\b/.test(look))
  }
  const queries = [
    { type: 'exports', value: 'Button' },
    { type: 'tag', value: 'react-component' },
    { type: 'pathPrefix', value: 'boutique/src/' },
    { type: 'listAll' },
    { type: 'exports', value: 'Nobody' },
  ]
  try {
    // The first builds it, and what it tells of itself in the workspace is seen by the second.
    for (let at = 0; at < 3; at++) await looked('queryIndex', { query: { type: 'listAll' } })
    // A directory that changed a moment ago is listed until it has settled, and the metrics have made one.
    await pause(200)
    await looked('queryIndex', { query: { type: 'listAll' } })
    for (const query of queries) expect([query, await looked('queryIndex', { query })]).toEqual([query, []])
    // What changed is looked at, and so is what is listed: looks are seen here.
    workspace.write('boutique/src/theme/tokens.ts', 'export const tokens = 2\n')
    const after = await looked('queryIndex', { query: { type: 'exports', value: 'tokens' } })
    expect(after).toContainEqual(expect.stringMatching(/stat.*boutique/))
    expect(after).not.toContainEqual(expect.stringMatching(/components/))
    expect(await looked('listFiles', { directory: 'boutique/src' })).not.toEqual([])
  } finally {
    await workspace.remove()
  }
})
