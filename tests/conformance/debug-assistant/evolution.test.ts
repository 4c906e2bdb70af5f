import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contracts } from '../../../scripts/docs/contracts.ts'
import { reference } from '../../../scripts/docs/pages.ts'
import { run } from '../../../scripts/run.mjs'
import { debugAssistant } from '../../../src/contracts.ts'
import { judge, schemasOf, type Stored } from '../../schemas/stored.ts'
import { rigWith } from './rig.ts'

const root = join(import.meta.dirname, '../../..')
const stored: Stored = JSON.parse(readFileSync(join(root, 'tests/data/schemas.json'), 'utf8'))

describe('how debug-assistant changes over time', () => {
  it('DA-11: the tool reference is what the script generates from the schemas', async () => {
    const [path, page] = await reference(debugAssistant)
    expect(readFileSync(join(root, path), 'utf8')).toBe(page)
    for (const { name } of debugAssistant.tools) expect(page).toContain(`## ${name}`)
  })

  it('DA-11: scripts/generate-tool-docs.ts prints the prompt block, which the reference holds', async () => {
    const { output } = await run(process.execPath, [join(root, 'scripts/generate-tool-docs.ts')])
    expect(output).toBe(debugAssistant.prompts?.['system']?.())
    expect(readFileSync(join(root, 'docs/reference/debug-assistant.md'), 'utf8')).toContain(output)
  })

  it('DA-11: the prompt block names every tool with the parameters of its schema', () => {
    const prompt = debugAssistant.prompts?.['system']?.() ?? ''
    expect(prompt).toMatch(/^AVAILABLE TOOLS:\n[\s\S]*\n\nUSAGE FORMAT:\n/)
    for (const [id, { input }] of Object.entries(schemasOf([debugAssistant])))
      for (const word of [id.split('/')[1], ...Object.keys(Object(input['properties']))]) expect(prompt).toContain(word)
  })

  it('DA-12: a parameter that becomes required, and one that is gone, are caught against the stored schemas', () => {
    expect(judge(stored, schemasOf(contracts))).toEqual([])
    const id = 'debug-assistant/read_file'
    const { version = '', input = {}, output = {} } = stored[id] ?? {}
    const minor = version.replace(/\.\d+\.(\d+)$/, '.999.$1')
    const { lineStart: _gone, ...fewer } = Object(input['properties'])
    const changed = (next: object) => judge({ [id]: { version, input, output } }, { [id]: Object(next) })
    expect(changed({ version: minor, input: { ...input, properties: fewer }, output })).toEqual([
      expect.stringContaining("'lineStart'"),
    ])
    const required = [...Object(input['required'] ?? []), 'lineStart']
    expect(changed({ version: minor, input: { ...input, required }, output })).toEqual([
      expect.stringContaining("'lineStart': is required"),
    ])
    const more = { ...Object(input['properties']), tail: { type: 'boolean' } }
    expect(changed({ version: minor, input: { ...input, properties: more }, output })).toEqual([])
  })

  it('DA-14: no number of calls is built in; a configured budget is the limit', async () => {
    const read = { filePath: 'a.ts' }
    await using rig = await rigWith({ 'a.ts': 'a\n' })
    for (let call = 0; call < 150; call++) expect(await rig.call('read_file', read)).toMatchObject({ success: true })
    await using bounded = await rigWith({ 'a.ts': 'a\n' }, { budgets: [{ tool: 'debug-assistant/*', calls: 2 }] })
    const answers = [1, 2, 3].map(() => bounded.call('read_file', read))
    const ends = (await Promise.all(answers)).map(answer => Object(answer).success)
    expect(ends.toSorted()).toEqual([false, true, true])
  })
})
