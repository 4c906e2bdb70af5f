import { createServer } from 'node:http'
import { readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lines, useCli } from './rig.ts'

const cli = useCli({ 'a.txt': 'one\n' })
const EDIT = JSON.stringify({ path: 'a.txt', edits: [{ old: 'one', new: 'uno' }] })
const call = () => cli.run(['call', 'edit', EDIT, '--wait-for-approval', '2m'])

/** A server of the user's own, on loopback. */
let received: { readonly type: string | undefined; readonly text: string }[]
let status = 200
const server = createServer((request, response) => {
  let text = ''
  request.on('data', chunk => (text += chunk))
  request.on('end', () => {
    received.push({ type: request.headers['content-type'], text })
    response.writeHead(status, { location: '/elsewhere' }).end()
  })
})
const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
beforeEach(async () => {
  ;[received, status] = [[], 200]
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => new Promise(resolve => server.close(resolve)))

const file = (name: string): string => join(cli.workspace.base, name)
const textOf = (name: string): string => {
  try {
    return readFileSync(file(name), 'utf8')
  } catch {
    return ''
  }
}
/** Appends what it reads to a file. */
const appending = (name: string): readonly string[] => ['/bin/sh', '-c', 'cat >> "$1"', 'sh', file(name)]

const openIds = async (): Promise<readonly string[]> =>
  JSON.parse((await cli.run(['approve', '--json'])).out).map(({ id }: { id: string }) => id)

async function answered(made: Promise<unknown>): Promise<void> {
  const [id = ''] = await openIds()
  await cli.run(['approve', id, '--no'])
  await made
}

const records = async (): Promise<readonly object[]> =>
  lines((await cli.run(['log', '--json'])).out).filter(({ type }) => type === 'notification')

describe('a question that waits', () => {
  it('is told to the command and the address of the user, without the content of files', async () => {
    cli.configure({ approvals: { notify: { afterSeconds: 0.2, command: appending('told'), url: address() } } })
    const made = call()
    await expect
      .poll(() => [textOf('told'), received.length], { timeout: 20_000 })
      .toEqual([expect.stringMatching(/\n$/), 1])
    const [id] = await openIds()
    expect(received).toEqual([{ type: 'application/json', text: textOf('told').trimEnd() }])
    const message = JSON.parse(textOf('told'))
    expect(message).toMatchObject({
      id,
      workspace: cli.workspace.path,
      tool: 'toolwright/edit',
      client: 'command line',
      why: expect.stringContaining('the default for write is ask'),
      claims: [
        { action: 'read', resource: 'a.txt' },
        { action: 'write', resource: 'a.txt' },
      ],
      answer: `toolwright approve ${id}`,
    })
    expect(textOf('told')).not.toContain('uno')
    await answered(made)
    expect(await records()).toEqual(
      expect.arrayContaining(['command', 'url'].map(to => expect.objectContaining({ question: id, to, ok: true }))),
    )
  })

  it('is told to no one if it was answered before', async () => {
    cli.configure({ approvals: { notify: { afterSeconds: 1, command: appending('told'), url: address() } } })
    const made = call()
    await expect.poll(openIds, { timeout: 20_000, interval: 20 }).toHaveLength(1)
    await answered(made)
    await new Promise(resolve => setTimeout(resolve, 1_500))
    expect([textOf('told'), received]).toEqual(['', []])
  })

  it('waits on where no one can be told, and the journal says why', async () => {
    status = 302
    cli.configure({ approvals: { notify: { afterSeconds: 0, command: [file('none')], url: address() } } })
    const made = call()
    await expect.poll(async () => (await records()).length, { timeout: 20_000 }).toBe(2)
    expect(await records()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ to: 'command', ok: false, problem: expect.stringContaining('ENOENT') }),
        expect.objectContaining({ to: 'url', ok: false, problem: expect.any(String) }),
      ]),
    )
    expect(received).toHaveLength(1)
    await answered(made)
  })

  it('is told to no one whom the project names, also if it is trusted', async () => {
    const notify = { afterSeconds: 0, command: appending('told'), url: address() }
    writeFileSync(join(cli.workspace.path, 'toolwright.json'), JSON.stringify({ approvals: { notify } }))
    await cli.run(['trust', '--yes'])
    const made = call()
    await expect.poll(openIds, { timeout: 20_000, interval: 20 }).toHaveLength(1)
    await new Promise(resolve => setTimeout(resolve, 500))
    expect([textOf('told'), received]).toEqual(['', []])
    expect((await cli.run(['doctor'])).out).toContain("'approvals.notify' in the project's configuration is ignored")
    await answered(made)
  })

  it.each([[{}], [{ afterSeconds: 5 }], [{ url: 'file:///etc/passwd' }], [{ command: [] }]])(
    'refuses the configuration %j',
    async notify => {
      cli.configure({ approvals: { notify } })
      expect(await cli.run(['call', 'read', '{"path":"a.txt"}'])).toMatchObject({
        code: expect.not.toBeOneOf([0]),
        err: expect.stringContaining('approvals.notify'),
      })
    },
  )
})
