import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Situation } from './situation.ts'
import { toolVariables, visiblePaths } from './visible-paths.ts'

const situation: Situation = { name: 'user', uid: 1000, gid: 1000, insideUid: 1000, insideGid: 1000 }

describe('what a command sees beside /usr', () => {
  let base: string
  let home: string
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-test-')))
    home = join(base, 'home')
    for (const place of ['home', 'workspace', 'opt/node/bin', 'opt/tools/bin'])
      mkdirSync(join(base, place), { recursive: true })
  })
  afterEach(() => rmSync(base, { recursive: true, force: true }))

  const seen = (path: readonly string[], more: readonly string[] = []): string[] => {
    for (const entry of path) if (entry.startsWith(base)) mkdirSync(entry, { recursive: true })
    const found = visiblePaths({ path: path.join(':'), home, root: join(base, 'workspace'), situation, more })
    return found.map(place => place.replace(`${base}/`, ''))
  }

  it('is the installation that a program directory of PATH belongs to', () => {
    expect(seen([join(base, 'opt/node/bin'), '/usr/bin', '/bin'])).toEqual(['opt/node'])
  })

  it('is of the home directory only what is known to hold tools', () => {
    const places = [
      '.cargo/bin',
      '.local/bin',
      '.pyenv/shims',
      'bin',
      'work/bin',
      '.nvm/versions/node/v24/bin',
      'sdk/go1.26/bin',
    ]
    for (const secret of ['.rustup', '.local/share/keyrings', '.local/lib', '.ssh'])
      mkdirSync(join(home, secret), { recursive: true })
    expect(seen(places.map(place => join(home, place)))).toEqual(
      ['.cargo/bin', '.local/bin', '.local/lib', '.nvm', '.pyenv', '.rustup', 'bin', 'sdk/go1.26', 'work/bin'].map(
        place => `home/${place}`,
      ),
    )
  })

  it('is never the home directory, the workspace, or what holds them', () => {
    expect(seen([home, base, join(base, 'bin'), join(base, 'workspace/node_modules/.bin'), '/', '.', ''])).toEqual([
      'bin',
    ])
  })

  it('is never a part of the system that has its own rules', () => {
    expect(seen(['/proc/self', '/tmp', '/etc', '/usr/games', '/sbin'])).toEqual([])
  })

  it('follows a link on PATH to the installation of a tool', () => {
    writeFileSync(join(base, 'opt/node/bin/node'), '', { mode: 0o755 })
    symlinkSync(join(base, 'opt/node/bin/node'), join(base, 'opt/tools/bin/node'))
    expect(seen([join(base, 'opt/tools/bin')])).toEqual(['opt/node', 'opt/tools'])
  })

  it('is what the configuration names, where it is there', () => {
    mkdirSync(join(base, 'shared'))
    expect(seen([], [join(base, 'shared'), join(base, 'missing')])).toEqual(['shared'])
  })

  it('brings the variables by which tools find themselves', () => {
    expect(toolVariables('/home/a', ['/home/a/.rustup', '/home/a/.pyenv'])).toEqual({
      RUSTUP_HOME: '/home/a/.rustup',
      PYENV_ROOT: '/home/a/.pyenv',
    })
  })
})
