import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { toolwright } from '../contracts/toolwright/contract.ts'
import { defineTool, type Engines } from '../engines/engines.ts'
import { nets, reads, writes } from '../kernel/claim.ts'
import type { AnyTool } from '../kernel/contract.ts'
import { checkContract } from './check-contract.ts'

type Body = () => Promise<void> | void

/** The scenarios of one tool in our own contract, not yet run. */
function scenariosOf(tool: AnyTool<Engines>): ReadonlyMap<string, Body> {
  const found = new Map<string, Body>()
  const runner = {
    describe: (_: string, body: () => void) => body(),
    it: (name: string, body: Body) => found.set(name, body),
  }
  checkContract(
    { ...toolwright, tools: [...toolwright.tools.filter(({ name }) => name !== tool.name), tool] },
    runner,
    [tool],
  )
  return found
}

const outcomeOf = async (tool: AnyTool<Engines>, name: string): Promise<'passes' | 'fails'> => {
  const body = scenariosOf(tool).get(name)
  if (!body) throw new Error(`There is no scenario '${name}'`)
  try {
    await body()
    return 'passes'
  } catch {
    return 'fails'
  }
}

const good = defineTool({
  name: 'shout',
  version: '1.0.0',
  description: 'Writes a file in capitals.',
  input: z.strictObject({ path: z.string() }),
  output: z.strictObject({ path: z.string() }),
  effects: ['write'],
  claims: ({ path }) => writes(path),
  run({ path }, { text }) {
    text.write(path, 'LOUD\n', { elided: 'allow' })
    return { path }
  },
  examples: [{ input: { path: 'a.txt' } }],
})

describe('SG-26: checkContract', () => {
  it.each([
    'claims no more than its effects',
    'changes nothing in a dry run',
    'shows the person the diff of what it then does',
    'does exactly what its plan showed, and can be undone',
  ])('lets a sound tool pass: it %s', async name => {
    expect(await outcomeOf(good, name)).toBe('passes')
  })

  it('finds a tool that claims more than it declares', async () => {
    const greedy = {
      ...good,
      effects: ['write' as const],
      claims: () => [...writes('a.txt'), ...nets('https://a.test')],
    }
    expect(await outcomeOf(greedy, 'claims no more than its effects')).toBe('fails')
  })

  it('finds a tool that does something else than it showed', async () => {
    let runs = 0
    const fickle = {
      ...good,
      run: ({ path }: { path: string }, { text }: Engines) => {
        text.write(path, `${++runs}\n`, { elided: 'allow' })
        return { path }
      },
    }
    expect(await outcomeOf(fickle, 'shows the person the diff of what it then does')).toBe('fails')
    expect(await outcomeOf(fickle, 'does exactly what its plan showed, and can be undone')).toBe('fails')
  })

  it('finds a tool that reads what it did not claim', async () => {
    const nosy = {
      ...good,
      effects: ['read' as const],
      claims: () => reads('a.txt'),
      run: (_: { path: string }, { text }: Engines) => ({ path: text.read('b.txt').path }),
      examples: [{ input: { path: 'a.txt' }, files: { 'a.txt': '', 'b.txt': '' } }],
    }
    expect(await outcomeOf(nosy, 'answers its own example, in the shape it promises')).toBe('fails')
  })

  it.each(['undo', 'stage'])('has %s planned, and taken back', name => {
    const tool = toolwright.tools.find(one => one.name === name)
    if (!tool) throw new Error('gone')
    expect([...scenariosOf(tool).keys()]).toContain('does exactly what its plan showed, and can be undone')
  })

  it('has undo denied and declined although its input names no path', () => {
    const undo = toolwright.tools.find(({ name }) => name === 'undo')
    if (!undo) throw new Error('gone')
    expect([...scenariosOf(undo).keys()]).toEqual(
      expect.arrayContaining([
        'refuses what is not permitted, names the permission, and changes nothing',
        'refuses when the person says no, and when there is no person',
        'shows the person the diff of what it then does',
      ]),
    )
  })
})
