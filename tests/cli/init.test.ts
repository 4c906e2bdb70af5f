import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse as parseToml } from 'smol-toml'
import { serverPlace } from '../../src/machine/state/server-place.ts'
import { workspaceState } from '../../src/machine/state/directory.ts'
import { openTokens } from '../../src/machine/state/tokens.ts'
import { clientFile, CLIENT_NAMES, isClient, type ClientFile } from '../../src/surfaces/cli/init/clients.ts'
import { useCli } from './rig.ts'

const cli = useCli({ 'a.txt': 'one\n' })

const names = CLIENT_NAMES.filter(isClient)

/** The file of a client, in a home of the test's own. */
function fileOf(name: string): ClientFile {
  if (!isClient(name)) throw new Error(name)
  return clientFile(name, { env: environment(), root: cli.workspace.path, platform: process.platform })
}

const environment = () => ({ ...cli.workspace.env, HOME: join(cli.workspace.base, 'home') })

function put(file: string, bytes: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, bytes)
}

const init = (...args: readonly string[]) =>
  cli.run(['init', ...args, '--root', cli.workspace.path], { env: { HOME: environment().HOME } })

/** Settings as people have them, in each format. */
const JSON_HOMES: Readonly<Record<string, string>> = {
  'an empty file': '',
  'an empty object': '{}\n',
  'an empty object over two lines': '{\n}\n',
  'other settings': '{\n  "theme": "dark",\n  "mcpServers": {\n    "other": { "command": "x" }\n  }\n}\n',
  comments: '// mine\n{\n  // look\n  "theme": "dark", // dark\n  /* last */ "size": 3\n  // the end\n}\n',
  'line ends of Windows': '{\r\n    "theme": "dark",\r\n    "list": [\r\n        1\r\n    ]\r\n}\r\n',
  'a mark of the encoding': '\uFEFF{\n\t"theme": "dark"\n}\n',
  'one line': '{"theme":"dark","size":3}',
  'a comma at the end': '{\n  "theme": "dark",\n  "size": 3,\n}\n',
  'a comma and a comment at the end': '{\n  "theme": "dark", // why\n  "size": 3, // last\n  // end\n}\n',
}

const TOML_HOMES: Readonly<Record<string, string>> = {
  'an empty file': '',
  'other settings': 'model = "x"\n\n[mcp_servers.other]\ncommand = "y"\n',
  comments: '# mine\nmodel = "x" # why\n\n# the table\n[[profiles]]\nname = "a"\n# the end\n',
  'line ends of Windows': 'model = "x"\r\n\r\n[tools]\r\nweb = true\r\n',
  'a mark of the encoding': '\uFEFFmodel = "x"\n',
  'no line end at the end': 'model = "x"\n[tools]\nweb = true',
  'texts over lines': 'notes = """\n[mcp_servers.toolwright]\nis not here\n"""\n',
}

const valueAt = (text: string, { format, path }: ClientFile): unknown => {
  const clean = text.replace(/^\uFEFF/, '')
  const whole: unknown =
    format === 'toml'
      ? parseToml(clean)
      : JSON.parse(clean.replaceAll(/(?<!:)\/\/.*|\/\*.*?\*\//g, '').replaceAll(/,(\s*[}\]])/g, '$1'))
  return path.reduce<unknown>((inner, name) => Object(inner)[name], whole)
}

describe.each(names)('toolwright init %s', name => {
  const homes = () => Object.entries(fileOf(name).format === 'toml' ? TOML_HOMES : JSON_HOMES)

  it('writes an entry that a client reads, and --undo gives the bytes and the mode back', async () => {
    for (const [what, before] of homes()) {
      const client = fileOf(name)
      put(client.file, before)
      chmodSync(client.file, 0o640)
      const written = await init(name, '--yes')
      expect([what, written.code, written.err]).toEqual([what, 0, ''])
      const after = readFileSync(client.file, 'utf8')
      const entry = valueAt(after, client)
      expect([what, JSON.stringify(entry)]).toEqual([what, expect.stringContaining(process.execPath)])
      expect([what, untouched(before, after)]).toEqual([what, true])
      expect((await init(name, '--undo', '--yes')).code).toBe(0)
      expect([what, readFileSync(client.file, 'utf8')]).toEqual([what, before])
      expect(statSync(client.file).mode & 0o777).toBe(0o640)
    }
  })

  it('makes the file if there is none, and removes it again', async () => {
    const { file } = fileOf(name)
    expect((await init(name, '--yes')).code).toBe(0)
    expect(existsSync(file)).toBe(true)
    expect((await init(name, '--undo', '--yes')).code).toBe(0)
    expect(existsSync(file)).toBe(false)
    expect((await init(name, '--undo', '--yes')).err).toContain('nothing of ours')
  })

  it('takes out only its own entry where someone else has written since', async () => {
    for (const [what, before] of homes().filter(([home]) => home !== 'an empty file')) {
      const client = fileOf(name)
      put(client.file, before)
      await init(name, '--yes')
      const mark = client.format === 'toml' ? '\n# mine\n' : '\n// mine\n'
      writeFileSync(client.file, readFileSync(client.file, 'utf8') + mark)
      expect([what, (await init(name, '--undo', '--yes')).code]).toEqual([what, 0])
      const left = readFileSync(client.file, 'utf8')
      expect([what, valueAt(left, client), left]).toEqual([what, undefined, before + mark])
    }
  })

  it('refuses a broken file, and changes nothing', async () => {
    const { file, format } = fileOf(name)
    for (const broken of format === 'toml' ? ['a = ', '[x\n'] : ['{ "a": ', '{ "a": 1 "b": 2 }', '[]']) {
      put(file, broken)
      const { code, err } = await init(name, '--yes')
      expect([broken, code, err]).toEqual([broken, 2, expect.stringMatching(/does not parse|is no object/)])
      expect(readFileSync(file, 'utf8')).toBe(broken)
    }
  })

  it('shows the change and writes nothing with --dry-run, and nothing without an answer', async () => {
    const { file } = fileOf(name)
    const { code, out } = await init(name, '--dry-run')
    expect([code, out]).toEqual([0, expect.stringMatching(/^\+.*toolwright/m)])
    expect((await init(name)).code).toBe(2)
    expect(existsSync(file)).toBe(false)
  })
})

/** Reports whether the text is as it was but for one stretch that was put in. */
function untouched(before: string, after: string): boolean {
  let same = 0
  while (same < before.length && before[same] === after[same]) same++
  return after.endsWith(before.slice(same).trimStart()) || /^\s*$/.test(before.replaceAll(/[{}\uFEFF]/g, ''))
}

describe('toolwright init', () => {
  it('refuses a key that is there twice', async () => {
    const { file } = fileOf('cursor')
    put(file, '{ "mcpServers": {}, "mcpServers": {} }')
    expect((await init('cursor', '--yes')).err).toContain('"mcpServers" twice')
  })

  it('replaces an entry of an earlier run, and undoes both', async () => {
    for (const name of ['cursor', 'codex'] as const) {
      const { file } = fileOf(name)
      const before = name === 'codex' ? 'model = "x"\n' : '{ "theme": 1 }\n'
      put(file, before)
      await init(name, '--yes')
      const tokens = openTokens(serverPlace(workspaceState(cli.workspace.path, cli.workspace.env).path))
      writeFileSync(
        serverPlace(workspaceState(cli.workspace.path, cli.workspace.env).path).record,
        JSON.stringify({ url: 'http://127.0.0.1:4321', port: 4321, tokenFile: '/x', pid: 1, start: 'x' }),
      )
      const { code, out } = await init(name, '--yes', '--http')
      const text = readFileSync(file, 'utf8')
      expect([code, text]).toEqual([0, expect.stringContaining('http://127.0.0.1:4321/mcp')])
      expect(tokens.list()).toMatchObject([{ name: `init-${name}`, scopes: ['read', 'call'] }])
      const [token = ''] = /tw_[\w-]{40,}/.exec(name === 'codex' ? out : text) ?? []
      expect(tokens.callerOf(token)?.name).toBe(`init-${name}`)
      expect(name === 'codex' ? text : out).not.toContain(token)
      expect((await init(name, '--undo', '--yes')).code).toBe(0)
      expect([readFileSync(file, 'utf8'), tokens.list()]).toEqual([before, []])
    }
  })

  it('says that no server was started before it can connect over HTTP', async () => {
    const { code, err } = await init('cursor', '--yes', '--http')
    expect([code, err]).toEqual([1, expect.stringContaining('toolwright serve')])
  })

  it('knows no other clients', async () => {
    expect((await init('cursorr', '--yes')).err).toContain('did you mean cursor?')
    expect((await init()).err).toContain('Name a client')
  })
})
