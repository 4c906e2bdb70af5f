import { describe, expect, it } from 'vitest'
import { callLine, commandLine } from './command-line.ts'

describe('commandLine', () => {
  it('has words, options and the workspace, quoted for a shell', () => {
    const values = { root: 'my project', all: true, allow: ['fs:read', 'exec'], limit: '1', config: undefined }
    expect(commandLine('list', ["it's"], values)).toBe(
      String.raw`toolwright list 'it'\''s' --all --allow fs:read --allow exec --limit 1 --root 'my project'`,
    )
  })

  it('keeps what begins with a dash from being an option', () => {
    expect(commandLine('read', ['-x'], { from: '-1' })).toBe('toolwright read --from=-1 -- -x')
    expect(commandLine('run', ['npm', 'test'], { root: 'a' }, true)).toBe('toolwright run --root a -- npm test')
  })
})

describe('callLine', () => {
  it('names the contract of a call that is not our own', () => {
    expect(callLine('Read', { file: 'a' }, { contract: 'sage' })).toBe(
      `toolwright call Read '{"file":"a"}' --contract sage`,
    )
  })
})
