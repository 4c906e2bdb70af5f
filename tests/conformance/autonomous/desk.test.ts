import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readJournal } from '../../../src/machine/journal/read.ts'
import { outputOf, useProduct } from './rig.ts'

const desk = useProduct({})
const item = (status?: string) => ({ content: 'Do it', activeForm: 'Doing it', ...(status && { status }) })

describe('todo_manager', () => {
  it('AA-08: answers as the document prints it', async () => {
    const [gather, map] = [
      { content: 'Gather context', activeForm: 'Gathering context' },
      { content: 'Map domains', activeForm: 'Mapping domains' },
    ]
    const input = { items: [gather, map].map(one => ({ ...one, status: 'pending' })) }
    expect(await desk.call('todo_manager', input)).toEqual({
      items: [
        { id: 'step-1', ...gather, status: 'in_progress' },
        { id: 'step-2', ...map, status: 'pending' },
      ],
      maxItems: 15,
      currentItem: { id: 'step-1', ...gather, status: 'in_progress' },
    })
  })

  it('AA-08: is given the whole list every time, ids and all, and remembers none', async () => {
    const first = Object(await desk.call('todo_manager', { items: [item(), item(), item()] }))
    const [done, ...rest] = first.items
    const second = Object(await desk.call('todo_manager', { items: [{ ...done, status: 'completed' }, ...rest] }))
    expect(second.items.map(Object).map(({ id, status }: Record<string, string>) => `${id} ${status}`)).toEqual([
      'step-1 completed',
      'step-2 in_progress',
      'step-3 pending',
    ])
    expect(Object(await desk.call('todo_manager', { items: [item('completed')] }))).toMatchObject({
      items: [{ id: 'step-1' }],
      currentItem: null,
    })
    expect(await desk.call('todo_manager', { items: [] })).toEqual({ items: [], maxItems: 15, currentItem: null })
  })

  it.each([
    ['sixteen items', { items: Array.from({ length: 16 }, () => item()) }, /at most 15 items/],
    ['two in progress', { items: [item('in_progress'), item('in_progress')] }, /Only one item can be in_progress/],
    ['no activeForm', { items: [{ content: 'Do it', status: 'pending' }] }, /Missing parameter 'items.0.activeForm'/],
    ['an empty activeForm', { items: [{ ...item(), activeForm: '  ' }] }, /items.0.activeForm/],
    ['another status', { items: [item('done')] }, /items.0.status/],
    ['no list', {}, /Missing parameter 'items'/],
  ])('AA-08: refuses %s', async (_what, input, error) => {
    expect(await desk.call('todo_manager', input)).toEqual({ error: expect.stringMatching(error) })
  })

  it('AA-08: warns of an activeForm that is no different, in meta.warnings and in the journal, not in the plan', async () => {
    const same = { content: 'Gather context', activeForm: ' gather  context ', status: 'pending' }
    const kit = await desk.open()
    const warning =
      "The activeForm of step-2 is no different from its content: write its present form, as in 'Gathering context'"
    const { outcome, answer } = await kit.run('todo_manager', { items: [item(), same] })
    expect(outcome).toMatchObject({ ok: true, meta: { warnings: [warning] } })
    expect(Object.keys(Object(outputOf(answer)))).toEqual(['items', 'maxItems', 'currentItem'])
    const record = [...readJournal(kit.state.journal)].find(entry => entry['id'] === outcome.meta.id)
    expect(record).toMatchObject({ type: 'call', tool: 'autonomous/todo_manager', warnings: [warning] })
    const other = await kit.run('todo_manager', { items: [item()] })
    expect(other.outcome.meta.warnings).toBeUndefined()
  })

  it('AA-08: takes fifteen', async () => {
    const items = Array.from({ length: 15 }, () => item('completed'))
    expect(await desk.call('todo_manager', { items })).toMatchObject({ maxItems: 15, currentItem: null })
  })
})

describe('validate_output', () => {
  it('AA-09: answers as the document prints it', async () => {
    const input = { outputType: 'domain_map', data: { domains: [], layout: {}, summary: {} } }
    expect(await desk.call('validate_output', input)).toEqual({
      valid: false,
      errors: ["Missing 'domains' array"],
      warnings: [],
    })
  })

  it('AA-09: needs both the type and the data, which may be anything', async () => {
    expect(await desk.call('validate_output', { data: {} })).toEqual({
      error: "Missing parameter 'outputType'. Parameters of validate_output: outputType, data",
    })
    expect(await desk.call('validate_output', { outputType: 'domain_map' })).toEqual({
      error: "Missing parameter 'data'. Parameters of validate_output: outputType, data",
    })
    expect(await desk.call('validate_output', { outputType: 'domain_map', data: null })).toMatchObject({ valid: false })
  })

  it('AA-09: warnings do not make it invalid', async () => {
    const data = { domains: [{ title: 'sales' }], layout: {}, summary: {} }
    expect(await desk.call('validate_output', { outputType: 'domain_map', data })).toEqual({
      valid: true,
      errors: [],
      warnings: ["'domains.0' has no name"],
    })
  })

  it('AA-09: knows the types that a program registers, and names them where one is unknown', async () => {
    const outputs = { route: z.object({ path: z.string() }), size: { type: 'integer', minimum: 1 } }
    const check = (outputType: string, data: unknown) => desk.call('validate_output', { outputType, data }, { outputs })
    expect(await check('route', { path: '/a' })).toMatchObject({ valid: true })
    expect(await check('route', {})).toMatchObject({ valid: false, errors: ["Missing 'path' string"] })
    expect(await check('size', 0)).toMatchObject({ valid: false })
    expect(await check('domain_map', {})).toMatchObject({ valid: false })
    expect(await check('other', {})).toMatchObject({
      valid: false,
      errors: ["Unknown output type 'other'; known: domain_map, route, size"],
    })
  })
})
