import { rmSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openGraphHost, type GraphHost } from '../../src/knowledge/code/graph/host/graph-host.ts'
import { serverMemory } from '../../src/knowledge/code/servers/server-memory.ts'
import { temporaryWorkspace } from '../../src/testing/index.ts'

const LIMIT = { timeoutMs: 60_000 }
const NODES = 'MATCH (n) RETURN label(n) AS l, n.id, n.name, n.path, n.lines, n.signature, n.language, n.exported'
const EDGES = 'MATCH (a)-[r]->(b) RETURN label(r) AS l, a.id, b.id, r.line, r.name, r.direct'

const workspace = temporaryWorkspace()
const hosts: GraphHost[] = []
afterAll(async () => {
  for (const host of hosts) await host.close()
  await workspace.remove()
})

const OWN = 'export function own() {\n  return 1\n}\n'
const USE = "import { own } from './own.ts'\nexport const used = () => own()\n"

const files: Record<string, string> = {
  'package.json': '{ "name": "p" }',
  'src/a.ts':
    'export function one(x: number) {\n  return x\n}\nexport class Base {\n  run() {\n    return one(1)\n  }\n}\n',
  'src/b.ts':
    "import { one, Base } from './a.ts'\nexport class Own extends Base {\n  run() {\n    return one(2)\n  }\n}\n",
  'src/c.ts': "import { Own } from './b.ts'\nexport const made = () => new Own().run()\n",
  // The same text in two places means something else in each.
  'src/x/own.ts': OWN,
  'src/y/own.ts': OWN,
  'src/x/use.ts': USE,
  'src/y/use.ts': USE,
  'src/d.py': 'def alone():\n    return 1\n',
}

const STEPS: readonly (readonly [what: string, change: () => void])[] = [
  [
    'a line above and a call more inside a function',
    () => edit('src/b.ts', 'return one(2)', '// "odd"\n    one(3)\n    return one(2)'),
  ],
  [
    'a function more, a call of it in another file, and another name',
    () => {
      files['src/a.ts'] += 'export function two() {\n  return one(4)\n}\n'
      edit('src/c.ts', 'import', "import { two } from './a.ts'\nimport")
      edit('src/c.ts', 'new Own()', 'two(new Own())')
      edit('src/a.ts', 'Base', 'Bottom')
    },
  ],
  [
    'a file that became another language of its name',
    () => {
      delete files['src/d.py']
      files['src/d.ts'] = 'export const alone = 1\n'
    },
  ],
  [
    'a test, and a variable that became a class',
    () => {
      files['src/a.test.ts'] = "import { it } from 'vitest'\nimport { two } from './a.ts'\nit('counts', () => two())\n"
      edit('src/d.ts', 'const alone = 1', 'class alone {}')
    },
  ],
  [
    'everything gone but one',
    () => {
      for (const path of Object.keys(files)) if (path !== 'src/a.ts') delete files[path]
    },
  ],
]

describe('a graph that is made from the last one', () => {
  it('is the same as one that is made of nothing', async () => {
    const kept = join(workspace.base, 'kept')
    const host = opened(kept)
    await host.prepare(tree(), LIMIT)
    const before = dumped(host, await host.prepare(tree(), LIMIT))
    expect((await before).length).toBeGreaterThan(30)
    for (const [what, change] of STEPS) {
      change()
      const fresh = opened(join(workspace.base, 'fresh'))
      const now = await dumped(fresh, await fresh.prepare(tree(), LIMIT))
      await fresh.close()
      rmSync(join(workspace.base, 'fresh'), { recursive: true })
      const updated = await dumped(host, await host.prepare(tree(), LIMIT))
      expect({ what, graph: updated }).toEqual({ what, graph: now })
    }
    // One that is not there any more is made again.
    for (const name of readdirSync(join(kept, 'graphs'))) rmSync(join(kept, 'graphs', name), { recursive: true })
    files['src/e.ts'] = 'export const e = 1\n'
    const key = await host.prepare(tree(), LIMIT)
    expect(statSync(join(kept, 'graphs', `${key}.lbug`)).size).toBeGreaterThan(0)
    expect(await dumped(host, key)).toContainEqual(expect.stringContaining('src/e.ts#e'))
  }, 240_000)
})

function opened(directory: string): GraphHost {
  const host = openGraphHost(directory, process.env, serverMemory())
  hosts.push(host)
  return host
}

const tree = () => ({
  directory: workspace.path,
  from: 'disk' as const,
  files: Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) })),
})

async function dumped(host: GraphHost, key: string): Promise<string[]> {
  const ask = async (query: string) => {
    const question = { query, params: {}, maxRows: 10_000, maxBytes: 1e8, timeoutMs: LIMIT.timeoutMs }
    return (await host.ask(key, question, LIMIT))?.rows ?? []
  }
  return [...(await ask(NODES)), ...(await ask(EDGES))].map(row => JSON.stringify(row)).toSorted()
}

function edit(path: string, from: string, to: string): void {
  const text = files[path] ?? ''
  expect(text).toContain(from)
  files[path] = text.replaceAll(from, to)
}
