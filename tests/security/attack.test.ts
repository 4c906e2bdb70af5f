import { afterAll, describe, expect, it } from 'vitest'
import { openCorpus, OWN_CORPUS } from './corpus.ts'
import { demandShape } from './row-shape.ts'

const { files, later } = openCorpus(OWN_CORPUS)

describe('the attack corpus', () => {
  it('is run as a whole', () => {
    expect(files.map(({ name }) => name)).toEqual([
      'approval.jsonl',
      'patches.jsonl',
      'path-traversal.jsonl',
      'redos.jsonl',
      'secrets.jsonl',
      'shell-bypass.jsonl',
      'ssrf.jsonl',
      'terminal.jsonl',
    ])
    expect(later).toEqual([])
    expect(files.flatMap(({ unreadable }) => unreadable)).toEqual([])
    for (const { name, rows } of files) for (const row of rows) demandShape(name, row)
  })
})

describe.each(files)('$name', ({ rows, run }) => {
  afterAll(() => run.close?.())

  it.each(rows.map(row => [row.id, row.class, row.expect, row] as const))(
    '%s: %s, %s',
    async (_id, _class, _expect, row) => {
      const { ok, got } = await run(row)
      expect({ ok, got }).toEqual({ ok: true, got })
    },
  )
})
