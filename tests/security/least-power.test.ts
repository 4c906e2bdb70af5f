import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { autonomous } from '../../src/contracts/autonomous/contract.ts'
import { cliAgent } from '../../src/contracts/cli-agent/contract.ts'
import { debugAssistant } from '../../src/contracts/debug-assistant/contract.ts'
import { sage } from '../../src/contracts/sage/contract.ts'
import { superconnect } from '../../src/contracts/superconnect/contract.ts'
import { toolwright } from '../../src/contracts/toolwright/contract.ts'
import type { Engines } from '../../src/engines/engines.ts'
import type { Claim } from '../../src/kernel/claim.ts'
import type { AnyTool, Contract } from '../../src/kernel/contract.ts'
import type { CallContext } from '../../src/kernel/tool.ts'
import { ToolError } from '../../src/kernel/error.ts'
import { makeWorld } from './world.ts'

const CONTRACTS: readonly Contract<Engines>[] = [toolwright, sage, cliAgent, autonomous, debugAssistant, superconnect]
const CANARY = 'least-power-canary'
const OTHER = 'apart/other.ts'
const { signal } = new AbortController()
const time = { timeoutMs: 5_000, signal }

interface Attempt {
  readonly name: string
  readonly act: (engines: Engines, call: CallContext) => unknown
  /** Reports whether the claims or the declarations of a tool give this much. */
  readonly isGiven: (tool: AnyTool<Engines>, claims: readonly Claim[]) => boolean
}

const covers = (claims: readonly Claim[], action: Claim['action']): boolean =>
  claims.some(claim => claim.action === action && /^(\.\/)?\*\*$/.test(claim.resource))
const readsAll: Attempt['isGiven'] = (_, claims) => covers(claims, 'read')
const writesAll: Attempt['isGiven'] = (_, claims) => covers(claims, 'write')
const never: Attempt['isGiven'] = () => false
const uses =
  (state: string): Attempt['isGiven'] =>
  ({ uses: used = [] }) =>
    used.some(one => one === state)

/** What a tool's code could try besides what its call is for. */
const ATTEMPTS: readonly Attempt[] = [
  { name: 'read a file', act: ({ text }) => text.read(OTHER), isGiven: readsAll },
  { name: 'read it once', act: ({ text }) => text.readOnce(OTHER), isGiven: readsAll },
  { name: 'list a directory', act: ({ files }) => files.list('apart'), isGiven: readsAll },
  { name: 'list a tree', act: ({ files }) => files.tree('apart', { depth: 2, limit: 9 }), isGiven: readsAll },
  {
    name: 'grep',
    act: ({ search }) => search.grep({ patterns: [CANARY], maxResults: 9, ...time }),
    isGiven: readsAll,
  },
  {
    name: 'find',
    act: ({ search }) => search.find('.', '**', { maxResults: 9, maxDepth: 9, signal }),
    isGiven: readsAll,
  },
  { name: 'write', act: ({ text }) => text.write(OTHER, 'x'), isGiven: writesAll },
  { name: 'create', act: ({ text }) => text.write('apart/new.ts', 'x'), isGiven: writesAll },
  {
    name: 'replace',
    act: ({ text }) => text.replace(OTHER, [{ old: 'a', new: 'b' }], { onAmbiguous: 'refuse' }),
    isGiven: writesAll,
  },
  {
    name: 'patch',
    act: ({ text }) => text.patch(`--- /dev/null\n+++ b/apart/p.ts\n@@ -0,0 +1 @@\n+x\n`, {}),
    isGiven: writesAll,
  },
  { name: 'remove', act: ({ files }) => files.remove(OTHER), isGiven: writesAll },
  { name: 'move', act: ({ files }) => files.move(OTHER, 'apart/moved.ts'), isGiven: writesAll },
  { name: 'make a directory', act: ({ files }) => files.makeDirectory('apart/made'), isGiven: writesAll },
  { name: 'undo', act: ({ files }) => files.undo(), isGiven: uses('undo') },
  {
    name: 'run',
    act: ({ process }, call) => process.run({ line: 'echo other > apart/run.txt' }, call),
    isGiven: never,
  },
  { name: 'poll', act: ({ process }) => process.poll('bg-1'), isGiven: never },
  { name: 'fetch', act: ({ web }) => web.fetch({ url: 'https://other.example/' }, signal), isGiven: never },
  { name: 'begin a transaction', act: ({ stage }) => stage.begin(), isGiven: uses('stage') },
  { name: 'show what is staged', act: ({ stage }) => stage.diff(), isGiven: uses('stage') },
  { name: 'see the last command', act: ({ journal }) => journal.lastCommand(), isGiven: uses('journal') },
  { name: 'change the plan', act: ({ plan }) => plan.keep([]), isGiven: uses('plan') },
]

type Tried = Readonly<Record<string, string>>

/** The tool with another run, which tries everything and then fails. */
function trying(tool: AnyTool<Engines>, told: (tried: Tried, claims: readonly Claim[]) => void): AnyTool<Engines> {
  let claimed: readonly Claim[] = []
  return {
    ...tool,
    claims: (input: unknown, facts: Parameters<typeof tool.claims>[1]) => (claimed = tool.claims(input, facts)),
    async run(_: unknown, engines: Engines, call: CallContext) {
      const tried: Record<string, string> = {}
      for (const { name, act } of ATTEMPTS)
        try {
          tried[name] = JSON.stringify(await act(engines, call)) ?? 'done'
        } catch (error) {
          tried[name] = error instanceof ToolError ? `refused: ${error.code} ${error.message}` : String(error)
        }
      told(tried, claimed)
      throw new ToolError('not_found', 'tried')
    },
  }
}

describe.each(CONTRACTS)('SG-07: $id', contract => {
  it.each(contract.tools.map(tool => [tool.name, tool] as const))(
    '%s holds nothing besides its claims',
    { timeout: 120_000 },
    async (name, tool) => {
      await using world = makeWorld()
      const put = (path: string, text: string) => {
        mkdirSync(dirname(join(world.root, path)), { recursive: true })
        writeFileSync(join(world.root, path), text)
      }
      put(OTHER, `export const a = '${CANARY}'\n`)
      const [example] = tool.examples
      for (const [path, text] of Object.entries(example?.files ?? {})) put(path, String(text))
      let seen: { tried: Tried; claims: readonly Claim[] } | undefined
      const probe = trying(tool, (tried, claims) => (seen = { tried, claims }))
      const kit = await world.open({ resident: 'off' })
      const session = kit.session({
        contract: { ...contract, tools: [probe, everything] },
        permissions: ['fs:read', 'fs:write', 'fs:create', 'fs:write:memory:fixes', 'exec', 'net'],
      })
      // Code that another call has loaded is no power of this one.
      await session.call('everything', {})
      const { outcome } = await session.run(name, example?.input)
      // Each is reached, so that none passes because nothing was tried.
      if (!seen) return expect({ name, outcome }).toBe('tried')
      const { tried, claims } = seen
      for (const { name: attempt, isGiven } of ATTEMPTS) {
        if (isGiven(tool, claims)) continue
        expect({ attempt, claims, answer: tried[attempt] }).toMatchObject({
          answer: expect.stringMatching(/^refused: (denied|not_found There is no background)/),
        })
      }
      if (!readsAll(tool, claims)) expect(JSON.stringify(tried)).not.toContain(CANARY)
      expect(
        ['new.ts', 'p.ts', 'moved.ts', 'made', 'run.txt'].filter(one => existsSync(join(world.root, 'apart', one))),
      ).toEqual([])
    },
  )
})

/** Does nothing; its effects load the code of every engine. */
const everything: AnyTool<Engines> = {
  ...toolwright.tools.find(({ name }) => name === 'write'),
  name: 'everything',
  effects: ['read', 'create', 'write', 'exec', 'net'],
  claims: () => [],
  run: () => {
    throw new ToolError('not_found', 'loaded')
  },
} as unknown as AnyTool<Engines>
