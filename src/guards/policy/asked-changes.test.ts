import { beforeAll, describe, expect, it } from 'vitest'
import { answersWithAskedChanges } from './asked-changes.ts'
import { loadCommandParser } from './command-parser.ts'
import { makePolicy } from './policy.ts'

describe('remembered answers whose commands are asked about afterwards', () => {
  beforeAll(loadCommandParser)

  const answer = (id: string, ...grants: readonly { action: string; command?: string; path?: string }[]) => ({
    id,
    enabled: true,
    grants,
  })
  const ANSWERS = [
    answer('format', { action: 'exec', command: 'npm run format' }),
    answer('status', { action: 'exec', command: 'git status' }),
    answer('build', { action: 'exec', command: 'npm run build' }, { action: 'write', path: 'dist/**' }),
    answer('files', { action: 'write', path: 'src/*.ts' }),
    { ...answer('off', { action: 'exec', command: 'npm run format' }), enabled: false },
    { id: 'pattern', enabled: true },
  ]

  it('are those that let a command run which may change files, and name none', () => {
    expect(answersWithAskedChanges(makePolicy(), ANSWERS)).toEqual([{ id: 'format', command: 'npm run format' }])
  })

  it('are none where every file may be written', () => {
    expect(answersWithAskedChanges(makePolicy({ permissions: ['fs:write'] }), ANSWERS)).toEqual([])
    expect(answersWithAskedChanges(makePolicy({ defaults: { write: 'allow' } }), ANSWERS)).toEqual([])
  })
})
