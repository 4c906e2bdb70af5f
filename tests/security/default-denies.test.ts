// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { needs } from '../needs.ts'
import { repository } from '../process/git-world.ts'

const it = needs('bubblewrap')

type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>, contract?: string]
const run = (command: string, more: object = {}): Call => ['run', { command, ...more }]

interface Row {
  readonly defaults: Readonly<Record<string, string>>
  readonly rules?: readonly object[]
  readonly call: Call
  readonly lands: boolean
}

const NO_CHANGE = { write: 'deny', create: 'deny' }
const NO_NEW = { create: 'deny' }
const allow = (action: string, path: string): object => ({ action, path, verdict: 'allow' })

/** A person says yes to every question. */
const ROWS: Readonly<Record<string, Row>> = {
  'a new file of a command': { defaults: NO_CHANGE, call: run('echo x > new.txt'), lands: false },
  'a changed file of a command': { defaults: NO_CHANGE, call: run('echo x >> a.txt'), lands: false },
  'a deleted file': { defaults: NO_CHANGE, call: run('rm a.txt'), lands: false },
  'a moved file': { defaults: NO_CHANGE, call: run('mv a.txt b.txt'), lands: false },
  'a new mode': { defaults: NO_CHANGE, call: run('chmod 755 a.txt'), lands: false },
  'a new directory': { defaults: NO_CHANGE, call: run('mkdir new'), lands: false },
  'a new link': { defaults: NO_CHANGE, call: run('ln -s a.txt link'), lands: false },
  'a script of the workspace': { defaults: NO_CHANGE, call: run('sh make.sh'), lands: false },
  'a program that reads its input': {
    defaults: NO_CHANGE,
    call: run('sh', { stdin: 'echo x > new.txt' }),
    lands: false,
  },
  'an ignored file': { defaults: NO_CHANGE, call: run('mkdir -p dist; echo x > dist/new.js'), lands: false },
  'a command of sage': { defaults: NO_CHANGE, call: ['Bash', { command: 'echo x > new.txt' }, 'sage'], lands: false },
  'a command of cli-agent': {
    defaults: NO_CHANGE,
    call: ['run_in_terminal', { command: 'echo x > new.txt' }, 'cli-agent'],
    lands: false,
  },
  'only new files, by a command': { defaults: NO_NEW, call: run('echo x > new.txt'), lands: false },
  'only new files, in the background': {
    defaults: NO_NEW,
    call: run('echo x > new.txt', { background: true }),
    lands: false,
  },
  'any file, in the background': {
    defaults: NO_CHANGE,
    call: run('echo x >> a.txt', { background: true }),
    lands: false,
  },
  'only new files, where one is changed': { defaults: NO_NEW, call: run('echo x >> a.txt'), lands: true },
  'new files, but for a rule, below new directories': {
    defaults: NO_NEW,
    rules: [allow('create', 'out/in/new.txt')],
    call: run('mkdir -p out/in; echo x > out/in/new.txt'),
    lands: true,
  },
  'any file, but for a rule': {
    defaults: NO_CHANGE,
    rules: [allow('write', 'a.txt')],
    call: run('echo x >> a.txt'),
    lands: true,
  },
  'any file in the background, but for a rule': {
    defaults: NO_CHANGE,
    rules: [allow('write', '**')],
    call: run('echo x > new.txt', { background: true }),
    lands: true,
  },
}

describe('a default that denies is lifted by no yes', () => {
  it.for(Object.entries(ROWS))('%s', async ([, { defaults, rules = [], call, lands }]) => {
    await using workspace = repository({ 'make.sh': 'echo x > new.txt\n' })
    const before = workspace.snapshot()
    const file = join(workspace.base, 'config.json')
    writeFileSync(file, JSON.stringify({ policy: { defaults, rules } }))
    const kit = await workspace.open({ config: file, approve: () => ({ answer: 'yes', by: 'ada' }) })
    const [tool, input, contract] = call
    const { outcome } = await kit.run(tool, input, contract === undefined ? {} : { contract })
    if ('background' in input) await setTimeout(500)
    if (lands) expect(workspace.snapshot()).not.toEqual(before)
    else expect(workspace.snapshot()).toEqual(before)
    expect(outcome).toMatchObject(lands ? { ok: true } : { ok: false, error: { code: 'denied' } })
  })
})
