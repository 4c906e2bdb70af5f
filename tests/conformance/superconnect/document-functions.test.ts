import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { listFiles, queryIndex, readFile } from '../../../src/documents/superconnect.ts'
import { useProject } from '../directory.ts'
import { FILES } from './world.ts'

const project = useProject(FILES)
beforeEach(() => {
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(project.cwd)
  return () => cwd.mockRestore()
})

describe('the functions of the document', () => {
  it('SC-01, SC-03: queryIndex({ query, limit }) finds files, as printed', async () => {
    expect(await queryIndex({ query: { type: 'exports', value: 'Button' }, limit: 10 })).toMatchObject({
      files: [{ path: 'src/components/Button.tsx' }],
      total_matches: 1,
      truncated: false,
    })
  })

  it('SC-07: readFile({ path }) reads a file, as printed', async () => {
    expect(await readFile({ path: 'README.md' })).toMatchObject({ path: 'README.md', content: '# A shop\n' })
  })

  it('SC-11: listFiles({ directory, pattern }) lists a directory, as printed', async () => {
    expect(await listFiles({ directory: 'src/components', pattern: '*.{ts,tsx}' })).toMatchObject({ total: 3 })
  })

  it('SC-17: a failure is the error object, also where the repository cannot be opened', async () => {
    expect(await readFile({ path: 'none.ts' })).toMatchObject({ error: { code: 'FILE_NOT_FOUND' } })
    const cwd = join(project.cwd, 'gone')
    expect(await readFile({ path: 'README.md' }, { cwd })).toEqual({
      error: { code: expect.stringMatching(/^[A-Z_]+$/), message: expect.stringContaining('gone') },
    })
  })

  it('SC-14: counts for the component that the call names', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'toolwright-components-'))
    try {
      await queryIndex({ query: { type: 'listAll' } }, { component: 'Link', cwd })
      const lines = readFileSync(join(cwd, 'superconnect/Link/tool-metrics.jsonl'), 'utf8')
      expect(JSON.parse(lines)).toMatchObject({ component: 'Link', tool: 'queryIndex' })
    } finally {
      rmSync(cwd, { recursive: true, force: true })
    }
  })
})
