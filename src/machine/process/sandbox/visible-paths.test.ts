import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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

  const mkdirs = (place: string): string => {
    mkdirSync(join(base, place), { recursive: true })
    return join(base, place)
  }

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

  it.each([
    ['another user, by what lies there', 'people/bob', 'bin', ['.bashrc', 'letters.txt']],
    ['keys', 'people/bob', 'bin', ['.ssh/id_ed25519']],
    ['a service', 'srv/app', 'bin', ['.config/token', 'data.db']],
    ['a shell history', 'people/eve', 'sbin', ['.bash_history']],
    ['deeper down', 'people/bob', 'work/shop/bin', ['.profile', 'work/shop/customers.csv']],
    ['one of many', 'people/bob', 'a/b/c/bin', ['.gitconfig', 'a/b/c/notes.md']],
    ['without a name of its own', 'people/bob', 'scripts', ['.netrc']],
    ['hidden', 'people/bob', '.tools/bin', ['.npmrc', '.tools/token']],
    ['of a project', 'people/bob', 'shop/node_modules/.bin', ['.cache/x', 'shop/.env']],
    ['the data beside it', 'people/bob', '.local/share/x/bin', ['.zshrc', '.local/share/x/keyring.db']],
  ])('is of any home directory only the entry itself (%s)', (_, of, entry, kept) => {
    for (const file of kept) {
      mkdirSync(dirname(join(base, of, file)), { recursive: true })
      writeFileSync(join(base, of, file), 'secret')
    }
    expect(seen([join(base, of, entry)])).toEqual([join(of, entry)])
  })

  it('is of a home directory that holds nothing yet only the entry, where its user is known', () => {
    expect(seen([join(home, 'bin'), join(home, 'work/bin'), join(home, 'x/y/bin/z')])).toEqual(
      ['bin', 'work/bin', 'x/y/bin/z'].map(place => `home/${place}`),
    )
  })

  it('is no more by a link than by the place that it leads to', () => {
    mkdirSync(join(base, 'people/bob/.ssh'), { recursive: true })
    mkdirSync(join(base, 'people/bob/bin'))
    symlinkSync(join(base, 'people/bob'), join(base, 'opt/bob'))
    symlinkSync(home, join(base, 'opt/me'))
    symlinkSync(join(base, 'opt/node'), join(base, 'opt/current'))
    expect(seen([join(base, 'opt/bob/bin'), join(base, 'opt/me')])).toEqual(['opt/bob/bin', 'people/bob/bin'])
    expect(seen([join(base, 'opt/current/bin')])).toEqual(['opt/current', 'opt/node'])
  })

  it('is of an installation in a home directory no more where something else lies in it', () => {
    writeFileSync(join(mkdirs('home/sdk/node-v24/lib'), 'x'), '')
    for (const name of ['README.md', 'LICENSE', 'CHANGELOG.md']) writeFileSync(join(home, 'sdk/node-v24', name), '')
    expect(seen([join(home, 'sdk/node-v24/bin')])).toEqual(['home/sdk/node-v24'])
    writeFileSync(join(home, 'sdk/node-v24/passwords.txt'), '')
    expect(seen([join(home, 'sdk/node-v24/bin')])).toEqual(['home/sdk/node-v24/bin'])
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
