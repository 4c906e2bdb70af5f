import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { platformLine } from '../../src/surfaces/cli/serve.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { CLI } from '../cli-program.ts'
import { useCli } from './rig.ts'

const cli = useCli({ 'a.txt': 'one\n' })

const running: ReturnType<typeof spawn>[] = []
afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const ended = once(child, 'close')
    child.kill('SIGTERM')
    await ended
  }
})

/** The real command, once it has written its first line. */
async function started({ path, env }: Pick<TemporaryWorkspace, 'path' | 'env'>, ...args: readonly string[]) {
  const child = spawn(process.execPath, [CLI, 'serve', ...args], { cwd: path, env, stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(child)
  const ended = once(child, 'close')
  let [out, err] = ['', '']
  child.stdout.on('data', chunk => (out += chunk))
  child.stderr.on('data', chunk => (err += chunk))
  while (!out.includes('\n') && child.exitCode === null) await pause(20)
  return { child, ended, out: () => out, err: () => err, lines: () => out.split('\n').slice(0, -1) }
}

/** Opens the page with its link. */
const exchanged = (link: string) => {
  const { origin, hash } = new URL(link)
  const body = JSON.stringify({ code: hash.replace('#once=', '') })
  return fetch(`${origin}/v1/sessions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}

const asks = (url: string, token: string, path = '/v1/workspaces') =>
  fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })

describe('toolwright serve', () => {
  it('prints one line with its address, answers, and ends with 0 at a signal', async () => {
    const { child, ended, out } = await started(cli.workspace, '--json')
    const first = JSON.parse(out())
    expect(Object.keys(first)).toEqual(['url', 'mcp', 'tokenFile'])
    expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(statSync(first.tokenFile).mode & 0o777).toBe(0o600)
    const token = readFileSync(first.tokenFile, 'utf8').trim()
    expect(await (await asks(first.url, token)).json()).toEqual({
      workspaces: [{ name: 'workspace', root: cli.workspace.path }],
    })
    child.kill('SIGINT')
    expect(await ended).toEqual([0, null])
    expect(out().split('\n')).toHaveLength(2)
  })

  it('says in three lines what is served, where to look, and how to connect a client', async () => {
    const { lines } = await started(cli.workspace)
    while (lines().length < 3) await pause(20)
    expect(lines()).toHaveLength(3)
    expect(lines()[0]).toMatch(/^✓ Serving .*workspace \(\d+ tools, nothing waits\)\. Ctrl-C stops it$/)
    const [, link = ''] = /Open (http:\/\/127\.0\.0\.1:\d+\/#once=[\w-]{32}) in a browser/.exec(lines()[1] ?? '') ?? []
    expect(lines()[2]).toMatch(
      /Connect Claude Code \(other clients: docs\/mcp\.md\): claude mcp add toolwright -- .* mcp --root .*workspace$/,
    )
    expect((await exchanged(link)).status).toBe(200)
    const again = await cli.run(['serve'])
    const [, other = ''] = /Open (\S+) in a browser/.exec(again.out) ?? []
    expect([again.code, other === link, (await exchanged(other)).status]).toEqual([0, false, 200])
  })

  it('opens a browser only if told to, with no secret in its arguments', async () => {
    const bin = join(cli.workspace.base, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'xdg-open'), '#!/bin/sh\necho "$1" > "$0.opened"\n', { mode: 0o755 })
    const env = { ...cli.workspace.env, PATH: `${bin}:${process.env['PATH']}` }
    const quiet = await started({ path: cli.workspace.path, env })
    quiet.child.kill('SIGTERM')
    await quiet.ended
    expect(existsSync(join(bin, 'xdg-open.opened'))).toBe(false)
    await started({ path: cli.workspace.path, env }, '--open')
    await expect.poll(() => existsSync(join(bin, 'xdg-open.opened'))).toBe(true)
    const opened = readFileSync(join(bin, 'xdg-open.opened'), 'utf8').trim()
    expect(opened).toMatch(/^file:.*\/open\.html$/)
    const file = fileURLToPath(opened)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const [, link = ''] = /url=(\S+?)"/.exec(readFileSync(file, 'utf8')) ?? []
    expect((await exchanged(link)).status).toBe(200)
  })

  it('started again for the same workspace prints the address of the first and ends with 0', async () => {
    const { out } = await started(cli.workspace, '--json')
    const again = await cli.run(['serve', '--json'])
    expect(again).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(again.out)).toEqual(JSON.parse(out()))
  })

  it('listens where it listened last, and at a port that it is given', async () => {
    const first = await started(cli.workspace, '--json')
    first.child.kill('SIGTERM')
    await first.ended
    const second = await started(cli.workspace, '--json')
    expect(second.out()).toBe(first.out())
    const port = new URL(JSON.parse(second.out()).url).port
    await using other = temporaryWorkspace()
    const taken = await started(other, '--json', '--port', port)
    expect((await taken.ended)[0]).toBe(1)
    expect(taken.err()).toMatch(new RegExp(`Port ${port} cannot be used`))
  })

  it('serves several workspaces by their names, with the tokens of the first', async () => {
    await using other = temporaryWorkspace({ 'b.txt': 'two\n' })
    const { out } = await started(cli.workspace, '--root', cli.workspace.path, '--root', other.path, '--json')
    const { url, tokenFile } = JSON.parse(out())
    const token = readFileSync(tokenFile, 'utf8').trim()
    const { workspaces } = Object(await (await asks(url, token)).json())
    expect(workspaces.map(({ name }: { name: string }) => name)).toEqual(['workspace', 'workspace-2'])
    expect((await asks(url, token, '/v1/tools')).status).toBe(400)
    expect((await asks(url, token, '/v1/tools?workspace=workspace-2')).status).toBe(200)
    const apart = await cli.run(['serve', '--json', '--root', other.path])
    expect([apart.code, JSON.parse(apart.out).url]).toEqual([0, url])
  })

  it('takes tokens of clients while it runs', async () => {
    const { out } = await started(cli.workspace, '--json')
    const { url } = JSON.parse(out())
    const made = await cli.run(['token', 'new', '--name', 'editor', '--scope', 'read'])
    expect(made).toMatchObject({ code: 0, err: expect.stringContaining('not shown again') })
    const token = made.out.trim()
    expect((await asks(url, token)).status).toBe(200)
    expect(await cli.run(['token', 'list'])).toMatchObject({ out: expect.stringMatching(/^editor {2}read {2}since /) })
    expect((await cli.run(['token', 'revoke', 'editor'])).code).toBe(0)
    expect((await asks(url, token)).status).toBe(401)
    expect(await cli.run(['token', 'revoke', 'editor'])).toMatchObject({ code: 1 })
  })
})

describe('the line about the system', () => {
  it('is there only where files and commands do not work', () => {
    expect(platformLine('linux')).toBeUndefined()
    expect(platformLine('darwin')).toMatch(/^macOS: .*docs\/platforms\.md/)
    expect(platformLine('win32')).toMatch(/^Windows: /)
  })
})

describe('toolwright token', () => {
  it.each([
    [['new'], 'Name the client with --name'],
    [['new', '--name', 'x', '--scope', 'write'], "--scope takes read, call, approve, not 'write'"],
    [['revoke'], 'Name one token'],
    [['make'], "'token' has no 'make'"],
  ])('refuses %j', async (args, said) => {
    expect(await cli.run(['token', ...args])).toMatchObject({ code: 2, out: '', err: expect.stringContaining(said) })
  })

  it('is for the workspace that it is called in', async () => {
    await cli.run(['token', 'new', '--name', 'editor', '--json'])
    await using other = temporaryWorkspace()
    const elsewhere = await cli.run(['token', 'list', '--json', '--root', other.path])
    expect(JSON.parse(elsewhere.out)).toEqual([])
    expect(JSON.parse((await cli.run(['token', 'list', '--json'])).out)).toMatchObject([
      { name: 'editor', scopes: ['read', 'call'] },
    ])
  })
})
