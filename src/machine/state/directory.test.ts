import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  chmodSync,
  existsSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configDirectory, stateDirectory, workspaceState } from './directory.ts'
import { writePrivateFile } from './private-file.ts'

let base = ''
let root = ''
let env = { TOOLWRIGHT_STATE: '' }
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-state-')))
  root = join(base, 'project')
  mkdirSync(root)
  env = { TOOLWRIGHT_STATE: join(base, 'state') }
})
afterEach(() => rmSync(base, { recursive: true }))

describe('stateDirectory and configDirectory', () => {
  it('follow the environment, then the custom of the platform', () => {
    const HOME = '/home/ada'
    expect(stateDirectory({ HOME, TOOLWRIGHT_STATE: '/s', XDG_STATE_HOME: '/x' }, 'linux')).toBe('/s')
    expect(stateDirectory({ HOME, XDG_STATE_HOME: '/x' }, 'linux')).toBe('/x/toolwright')
    expect(stateDirectory({ HOME, XDG_STATE_HOME: 'x' }, 'linux')).toBe('/home/ada/.local/state/toolwright')
    expect(stateDirectory({ HOME }, 'darwin')).toBe('/home/ada/Library/Application Support/toolwright')
    expect(stateDirectory({ LOCALAPPDATA: '/local' }, 'win32')).toBe('/local/toolwright/state')
    expect(configDirectory({ HOME, TOOLWRIGHT_CONFIG_HOME: '/c' }, 'linux')).toBe('/c')
    expect(configDirectory({ HOME, XDG_CONFIG_HOME: '/x' }, 'linux')).toBe('/x/toolwright')
    expect(configDirectory({ HOME }, 'darwin')).toBe('/home/ada/.config/toolwright')
  })

  it('refuse a place that depends on where the program was started', () => {
    expect(() => stateDirectory({ TOOLWRIGHT_STATE: 'state' })).toThrow(
      expect.objectContaining({ code: 'invalid_input' }),
    )
  })
})

describe('workspaceState', () => {
  it('is the same for every spelling of a workspace, for this user alone, and says whose it is', () => {
    symlinkSync(root, join(base, 'link'))
    const state = workspaceState(root, env)
    expect(workspaceState(`${base}/link/../project/`, env)).toEqual(state)
    expect(workspaceState(join(base, 'link'), env).key).toBe(state.key)
    for (const path of [state.path, state.journal, state.payloads, state.transactions])
      expect(statSync(path).mode & 0o777).toBe(0o700)
    expect(statSync(join(state.path, 'workspace.json')).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(join(state.path, 'workspace.json'), 'utf8'))).toMatchObject({ root })
    expect(state.head.startsWith(state.path)).toBe(false)
  })

  it('AP-0053: starts with nothing where another directory came to lie at the same path', () => {
    const { key } = workspaceState(root, env)
    renameSync(root, join(base, 'moved'))
    mkdirSync(root)
    expect(workspaceState(root, env).key).not.toBe(key)
    rmSync(root, { recursive: true })
    mkdirSync(root)
    expect(workspaceState(root, env).key).not.toBe(key)
    expect(workspaceState(join(base, 'moved'), env).key).not.toBe(key)
  })

  it('keeps its key when files in the workspace come and go', () => {
    const { key } = workspaceState(root, env)
    writeFileSync(join(root, 'a'), 'a')
    mkdirSync(join(root, '.git'))
    chmodSync(root, 0o755)
    expect(workspaceState(root, env).key).toBe(key)
  })

  it.each([
    ['inside the workspace', () => join(root, '.state')],
    ['deep inside it', () => join(root, 'a', 'b')],
    ['that is the workspace', () => root],
    ['that holds the workspace', () => base],
  ])('refuses a state directory %s, and makes nothing', (_, place) => {
    expect(() => workspaceState(root, { TOOLWRIGHT_STATE: place() })).toThrow(
      expect.objectContaining({ code: 'denied', hint: expect.stringContaining('TOOLWRIGHT_STATE') }),
    )
    expect(existsSync(join(place(), 'workspaces'))).toBe(false)
  })

  it('refuses a state directory that a link leads into the workspace', () => {
    symlinkSync(root, join(base, 'link'))
    expect(() => workspaceState(root, { TOOLWRIGHT_STATE: join(base, 'link', 'state') })).toThrow(
      /inside the workspace/,
    )
  })

  it('refuses a state directory that others may write to', () => {
    const { path } = workspaceState(root, env)
    chmodSync(path, 0o777)
    expect(() => workspaceState(root, env)).toThrow(expect.objectContaining({ code: 'denied' }))
  })

  it('says so when the workspace is missing or a file', () => {
    expect(() => workspaceState(join(base, 'none'), env)).toThrow(expect.objectContaining({ code: 'not_found' }))
    writeFileSync(join(base, 'file'), '')
    expect(() => workspaceState(join(base, 'file'), env)).toThrow(expect.objectContaining({ code: 'not_a_directory' }))
  })
})

describe('writePrivateFile', () => {
  it('replaces a file whole and leaves nothing beside it when it cannot', () => {
    const file = join(base, 'a.json')
    writePrivateFile(file, 'one')
    writePrivateFile(file, 'two')
    expect(readFileSync(file, 'utf8')).toBe('two')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(() => writePrivateFile(root, 'over a directory')).toThrow(/EISDIR|EEXIST|ENOTEMPTY|EPERM/)
    expect(readdirSync(base).toSorted()).toEqual(['a.json', 'project'])
  })
})
