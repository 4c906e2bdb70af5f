import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { IndexAnswer } from '../../src/knowledge/index/types.ts'
import type { FilesAnswer } from '../../src/knowledge/answers/search-questions.ts'
import { startBuilt } from './beside-scan.ts'
import { SOON, useWorlds } from './rig.ts'

const worlds = useWorlds()
const METRICS = 'superconnect/Button/tool-metrics.jsonl'

describe('metrics files', () => {
  it('SC-14: are no part of the index that the process holds, whatever it sees of them', async () => {
    const world = worlds.make({ 'src/Button.tsx': 'export const Button = () => <button/>\n' })
    await startBuilt(world)
    const kit = await world.workspace.open({ contract: 'superconnect', task: 'Button' })
    const query = { query: { type: 'listAll' } }
    const before = await kit.call('queryIndex', query)
    expect(existsSync(join(world.workspace.path, METRICS))).toBe(true)
    const after = await kit.call('queryIndex', query)
    expect(after).toEqual(before)
    expect(JSON.stringify(after)).toContain('src/Button.tsx')
    expect(JSON.stringify(after)).not.toContain('tool-metrics')
    const line = await world.start()
    const { files } = await line.ask<FilesAnswer>('search.files', {}, SOON)
    expect(files).toEqual(['src/Button.tsx'])
    const held = await line.ask<IndexAnswer>('index.query', { query: { by: 'all' }, limit: 100 }, SOON)
    expect(held.files.map(({ path }) => path)).toEqual(['src/Button.tsx'])
    await kit.close()
  })

  it('SC-14: are in no search by the process, not even one that was made a moment ago', async () => {
    const world = worlds.make({ 'src/Button.tsx': 'export const Button = () => <button/>\n' })
    await startBuilt(world)
    const kit = await world.workspace.open({ contract: 'superconnect' })
    const run = async (tool: string, input: object) => {
      const { outcome } = await kit.run(tool, input, { contract: 'toolwright' })
      return outcome.ok ? Object(outcome.data) : outcome.error
    }
    let byIndex = 0
    for (let at = 0; at < 20; at++) {
      await kit.call('queryIndex', { query: { type: 'listAll' } }, { task: `C${at}` })
      const found = await run('grep', { pattern: 'queryIndex' })
      expect(found).toMatchObject({ matches: [], total: 0, filesSearched: 1 })
      expect(await run('find', { glob: '**' })).toMatchObject({ files: ['src/Button.tsx'], total: 1 })
      if (found.freshness.source === 'index') byIndex++
    }
    expect(byIndex).toBeGreaterThan(0)
    expect(await run('grep', { pattern: 'queryIndex', path: 'superconnect/C3/tool-metrics.jsonl' })).toMatchObject({
      total: 1,
    })
    await kit.close()
  })
})
