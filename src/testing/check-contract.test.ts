import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { toolwright } from '../contracts/toolwright/contract.ts'
import { defineTool, type Engines } from '../engines/engines.ts'
import { creates, nets, reads, readsBelow, writes } from '../kernel/claim.ts'
import type { AnyTool } from '../kernel/contract.ts'
import { ToolError, type Code } from '../kernel/error.ts'
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

/** Why a scenario fails for a tool; undefined if it passes. */
const whyFails = async (tool: AnyTool<Engines>, name: string): Promise<string | undefined> => {
  const body = scenariosOf(tool).get(name)
  if (!body) throw new Error(`There is no scenario '${name}'`)
  try {
    await body()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const namesOf = (tool: AnyTool<Engines>): readonly string[] => [...scenariosOf(tool).keys()]

const CLAIMS = 'claims no more than its effects'
const DIFF = 'shows the person the diff of what it then does'
const PLAN = 'does exactly what its plan showed, and can be undone'
const ESCAPE = 'cannot reach "../outside/secret.txt"'

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

const ours = (name: string): AnyTool<Engines> => {
  const tool = toolwright.tools.find(one => one.name === name)
  if (!tool) throw new Error(`There is no tool '${name}'`)
  return tool
}

describe('SG-26: checkContract', () => {
  it.each([CLAIMS, 'changes nothing in a dry run', DIFF, PLAN, ESCAPE])('lets a sound tool pass: it %s', async name => {
    expect(await whyFails(good, name)).toBeUndefined()
  })

  it('finds a tool that claims more than it declares', async () => {
    const greedy = {
      ...good,
      effects: ['write' as const],
      claims: () => [...writes('a.txt'), ...nets('https://a.test')],
    }
    expect(await whyFails(greedy, CLAIMS)).toMatch(/claims 'net' but does not declare it/)
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
    expect(await whyFails(fickle, DIFF)).toMatch(/not what it was when it was approved/)
    expect(await whyFails(fickle, PLAN)).toMatch(/not what it was when the plan was made/)
  })

  it('finds a tool that reads what it did not claim', async () => {
    const nosy = {
      ...good,
      effects: ['read' as const],
      claims: () => reads('a.txt'),
      run: (_: { path: string }, { text }: Engines) => ({ path: text.read('b.txt').path }),
      examples: [{ input: { path: 'a.txt' }, files: { 'a.txt': '', 'b.txt': '' } }],
    }
    expect(await whyFails(nosy, 'answers its own example, in the shape it promises')).toBeDefined()
  })

  it('finds a tool that ignores a path that leads out', async () => {
    const deaf = {
      ...good,
      effects: ['read' as const],
      claims: () => readsBelow('.'),
      run: ({ path }: { path: string }) => ({ path }),
    }
    expect(await whyFails(deaf, ESCAPE)).toMatch(/must be refused when 'path' leads out/)
  })

  it.each<Code>(['no_match', 'not_found', 'not_a_directory', 'denied', 'io'])(
    'finds a tool that opens a file outside and then fails with %s',
    async code => {
      const opened: string[] = []
      const straying = {
        ...good,
        effects: ['read' as const],
        claims: () => readsBelow('.'),
        run: ({ path }: { path: string }): { path: string } => {
          if (path.startsWith('/')) opened.push(readFileSync(path, 'utf8'))
          throw new ToolError(code, 'Nothing of use there')
        },
      }
      expect(await whyFails(straying, 'cannot reach "/etc/passwd"')).toMatch(
        `must fail because 'path' leads out (outside_workspace or invalid_input), not with ${code}: Nothing of use there`,
      )
      expect(opened).toHaveLength(1)
    },
  )

  it('finds a tool that throws what is no refusal when a path leads out', async () => {
    const breaking = {
      ...good,
      effects: ['read' as const],
      claims: () => readsBelow('.'),
      run: (): { path: string } => {
        throw new TypeError('No such property')
      },
    }
    expect(await whyFails(breaking, ESCAPE)).toMatch(/must fail because 'path' leads out .* not with internal: /)
  })

  it.each(['undo', 'stage'])('has %s planned, and taken back', name => {
    expect(namesOf(ours(name))).toContain(PLAN)
  })

  it('has undo denied and declined although its input names no path', () => {
    expect(namesOf(ours('undo'))).toEqual(
      expect.arrayContaining([
        'refuses what is not permitted, names the permission, and changes nothing',
        'refuses when the person says no, and when there is no person',
        DIFF,
      ]),
    )
  })
})

describe('checkContract, where a tool gives a scenario nothing to check', () => {
  const idle = { ...good, run: ({ path }: { path: string }) => ({ path }) }

  it('fails the diff when no example changes anything', async () => {
    expect(await whyFails(idle, DIFF)).toMatch(/no example changes anything, but the tool declares write/)
  })

  it('counts a directory that an example makes as a change', async () => {
    const makesDirectory = {
      ...good,
      effects: ['create' as const],
      claims: ({ path }: { path: string }) => creates(path),
      run: ({ path }: { path: string }, { files }: Engines) => {
        files.makeDirectory(path)
        return { path }
      },
    }
    expect(await whyFails(makesDirectory, DIFF)).toBeUndefined()
  })

  it('fails the claims when effects are declared and no example claims anything', async () => {
    const silent = { ...idle, claims: () => [] }
    expect(await whyFails(silent, CLAIMS)).toMatch(/no example claims anything, but the tool declares write/)
  })

  it('counts what earlier calls of the session claimed for a tool that commits it', async () => {
    expect(await whyFails(ours('stage'), CLAIMS)).toBeUndefined()
    expect(await whyFails({ ...ours('stage'), effects: ['read'] }, CLAIMS)).toMatch(
      /lands what was claimed as 'create' but does not declare it/,
    )
  })

  it('fails the escapes when no example gives a parameter that is a path by its name', async () => {
    const rooted = {
      ...good,
      input: z.strictObject({ base_path: z.string().default('.') }),
      effects: ['read' as const],
      claims: ({ base_path }: { base_path: string }) => readsBelow(base_path),
      examples: [{ input: {} }],
    }
    expect(await whyFails(rooted, ESCAPE)).toMatch(/no example gives 'base_path'/)
  })

  it('fails the escapes when the claimed path does not stand in the input', async () => {
    const derives = {
      ...good,
      input: z.strictObject({ note: z.string() }),
      claims: ({ note }: { note: string }) => writes(`notes/${note.toUpperCase()}.md`),
      examples: [{ input: { note: 'shopping' } }],
    }
    expect(await whyFails(derives, ESCAPE)).toMatch(/no example has a path to redirect/)
  })

  it.each([CLAIMS, DIFF, ESCAPE])('fails a tool without examples: it %s', async name => {
    expect(await whyFails({ ...good, examples: [] }, name)).toMatch(/no example/)
  })
})

describe('checkContract, where a scenario does not apply', () => {
  it('has no diff shown of a tool that only reads', () => {
    expect(namesOf(ours('read'))).not.toContain(DIFF)
  })

  it('has no diff shown before a command or a request, whose changes are known afterwards', () => {
    expect(namesOf(ours('run'))).not.toContain(DIFF)
    expect(namesOf(ours('fetch'))).not.toContain(DIFF)
  })

  it('leads nothing astray where the claimed file is always the same', () => {
    const fixed = {
      ...good,
      input: z.strictObject({ line: z.string() }),
      claims: () => writes('TODO.md'),
      examples: [{ input: { line: 'Buy milk' } }],
    }
    expect(namesOf(fixed)).not.toContain(ESCAPE)
  })

  it('asks a tool without effects to claim nothing', async () => {
    const pure = { ...good, effects: [], claims: () => [], run: ({ path }: { path: string }) => ({ path }) }
    const name = 'claims nothing, for it declares no effects'
    expect(namesOf(pure)).not.toContain(CLAIMS)
    expect(await whyFails(pure, name)).toBeUndefined()
    expect(await whyFails({ ...pure, claims: () => reads('a.txt') }, name)).toBeDefined()
  })
})
