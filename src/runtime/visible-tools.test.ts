import { describe, expect, it } from 'vitest'
import { cliAgent } from '../contracts/cli-agent/contract.ts'
import { toolwright } from '../contracts/toolwright/contract.ts'
import { makePolicy, NO_POWER } from '../guards/policy/policy.ts'
import type { Rule } from '../guards/policy/rule.ts'
import type { Engines } from '../engines/engines.ts'
import type { AnyTool } from '../kernel/contract.ts'
import { visibleTools } from './visible-tools.ts'

const names = (rules: readonly Omit<Rule, 'source'>[], tools: readonly AnyTool<Engines>[] = toolwright.tools) =>
  visibleTools(tools, makePolicy({ rules: rules.map(rule => ({ ...rule, source: 'user' as const })) })).map(
    tool => tool.name,
  )

describe('visibleTools', () => {
  it('leaves every tool where nothing is denied as a whole', () => {
    expect(names([])).toEqual(toolwright.tools.map(tool => tool.name))
    expect(names([{ id: 'a', verdict: 'deny', action: 'write', path: 'src/**' }])).toContain('write')
  })

  it('leaves out what can only be denied', () => {
    const readers = names([{ id: 'a', verdict: 'deny', action: 'write' }])
    expect(readers).toContain('read')
    for (const name of ['write', 'edit', 'patch', 'move', 'delete', 'undo']) expect(readers).not.toContain(name)
    expect(names([{ id: 'a', verdict: 'deny', action: 'net' }])).not.toContain('fetch')
    const listed = names([{ id: 'a', verdict: 'deny', action: 'read', path: '**' }], cliAgent.tools)
    expect(listed).toContain('create_file')
    expect(listed).not.toContain('read_file')
  })

  it('judges a tool without a usable example by all that it may do', () => {
    const tool = { ...toolwright.tools[0], name: 'odd', effects: ['net'] as const, claims: () => [] }
    const policy = makePolicy({ defaults: NO_POWER })
    for (const examples of [[], [{ input: 7 }]])
      expect(visibleTools([{ ...toolwright.tools[0], ...tool, examples } as never], policy)).toEqual([])
    const throwing = {
      ...tool,
      examples: toolwright.tools[0]?.examples,
      claims: () => {
        throw new Error('x')
      },
    }
    expect(visibleTools([throwing as never], policy)).toEqual([])
  })
})
