import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { decide } from '../../src/guards/policy/decide.ts'
import { listedCommands, type CommandLists } from '../../src/guards/policy/written-rules.ts'
import { namedRules } from '../../src/guards/policy/written-rules.ts'
import { makePolicy } from '../../src/guards/policy/policy.ts'
import type { Verdict } from '../../src/guards/verdict.ts'
import { loadBothReaders } from '../command-parsers.ts'

await loadBothReaders()

const data = join(import.meta.dirname, '../data')
const read = <T>(name: string): T => JSON.parse(readFileSync(join(data, name), 'utf8'))
const { policies } = read<{ policies: Record<string, CommandLists & { default: Verdict }> }>(
  'attack/shell-policies.json',
)
const verdicts = read<Record<string, Partial<Record<Verdict, readonly string[]>>>>('shell-verdicts.json')

const cases = Object.entries(verdicts).flatMap(([name, lists]) =>
  Object.entries(lists).flatMap(([verdict, commands]) => commands.map(command => [name, command, verdict] as const)),
)

/** What the same six policies say about lines of our own; `ask` stands for anything but allow. */
describe('verdicts over command lines', () => {
  it.each(cases)('SG-16: %s: %j is %s', (name, command, verdict) => {
    const lists = policies[name]
    const rules = namedRules(listedCommands(lists), 'user')
    const policy = makePolicy({ defaults: { exec: lists?.default ?? 'ask' }, rules })
    const decision = decide(policy, [{ action: 'exec', resource: command }])
    if (verdict === 'ask') expect(decision.verdict).not.toBe('allow')
    else expect(decision.verdict).toBe(verdict)
  })
})
