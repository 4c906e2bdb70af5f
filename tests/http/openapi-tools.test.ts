import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openApiOf } from '../../src/surfaces/http/openapi.ts'
import { ROUTES } from '../../src/surfaces/http/routes/table.ts'
import { serveTest, type ServedTest } from './rig.ts'

const execute = promisify(execFile)
const tools = join(import.meta.dirname, '../../tools/openapi/node_modules')
const document = JSON.stringify(openApiOf(ROUTES))

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-openapi-'))
  symlinkSync(tools, join(folder, 'node_modules'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a program of the installed packages, and returns what it printed; also if it ended with a failure. */
async function program(
  path: string,
  ...args: readonly string[]
): Promise<{ readonly ok: boolean; readonly out: string }> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  try {
    return {
      ok: true,
      out: (await execute(process.execPath, [join(tools, path), ...args], { cwd: folder, env })).stdout,
    }
  } catch (error) {
    return { ok: false, out: String(Object(error).stdout) }
  }
}

/** Returns the rules of Redocly's linter that a document breaks. */
async function broken(text: string): Promise<readonly string[]> {
  writeFileSync(join(folder, 'api.json'), text)
  const { out } = await program(
    '@redocly/cli/bin/cli.js',
    'lint',
    '--extends',
    'recommended-strict',
    '--format',
    'json',
    'api.json',
  )
  return JSON.parse(out).problems.map(({ ruleId }: { ruleId: string }) => ruleId)
}

describe("Redocly's linter", () => {
  it('finds nothing in the document', async () => {
    expect(await broken(document)).toEqual([])
  })

  it.each([
    ['a type that there is not', '"type":"string"', '"type":"strin"', 'struct'],
    ['a path without its parameter', '"/v1/approvals/{id}"', '"/v1/approvals/{other}"', 'path-parameters-defined'],
    ['an operation twice', '"operationId":"listTools"', '"operationId":"makeCall"', 'operation-operationId-unique'],
    [
      'a reference that leads nowhere',
      '#/components/schemas/Refusal',
      '#/components/schemas/None',
      'no-unresolved-refs',
    ],
  ])('finds %s', async (_what, from, to, rule) => {
    expect(document).toContain(from)
    expect(await broken(document.replace(from, to))).toContain(rule)
  })
})

const CLIENT = `
import createClient from 'openapi-fetch'
import type { paths } from './api.ts'

declare const process: { readonly env: Record<string, string> }
declare const console: { log(text: string): void }
const { URL: baseUrl = '', TOKEN: token = '' } = process.env
const client = createClient<paths>({ baseUrl, headers: { Authorization: 'Bearer ' + token } })
const read = await client.POST('/v1/calls', { body: { tool: 'read', input: { path: 'a.txt' } } })
const listed = await client.GET('/v1/tools', { params: { query: { contract: 'sage' } } })
const asked = await client.GET('/v1/approvals')
const digests: readonly string[] = asked.data?.approvals.map(({ digest }) => digest) ?? []
const missing = await client.GET('/v1/approvals/{id}', { params: { path: { id: 'none' } } })
console.log(JSON.stringify([read.data, listed.data?.contract, digests, missing.error?.error.code]))
`

describe('a client that is generated from the document', () => {
  let http: ServedTest
  beforeAll(async () => {
    http = await serveTest({ 'a.txt': 'one\n' })
    writeFileSync(join(folder, 'api.json'), document)
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    await program('openapi-typescript/bin/cli.js', 'api.json', '--default-non-nullable=false', '-o', 'api.ts')
  })
  afterAll(() => http.stop())

  const compiled = (text: string) => {
    writeFileSync(join(folder, 'client.ts'), text)
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--lib',
      'es2024,dom',
      '--allowImportingTsExtensions',
    ]
    return program('typescript/bin/tsc', ...options, '--skipLibCheck', 'client.ts')
  }

  it('compiles, and calls', async () => {
    expect(await compiled(CLIENT)).toEqual({ ok: true, out: '' })
    const env = { ...process.env, URL: http.server.url, TOKEN: http.client('read', 'call') }
    const { stdout } = await execute(process.execPath, [join(folder, 'client.ts')], { cwd: folder, env })
    expect(JSON.parse(stdout)).toEqual([
      expect.objectContaining({ ok: true, data: expect.objectContaining({ content: 'one\n' }) }),
      'sage',
      [],
      'not_found',
    ])
  })

  it.each([
    ['a field', "tool: 'read'", "toool: 'read'", 'toool'],
    ['a contract', "contract: 'sage'", "contract: 'stage'", '\'"stage"\''],
    ['a path', "'/v1/tools'", "'/v1/tool'", '/v1/tool'],
    ['a field of a question', '({ digest }) => digest', '({ digst }) => digst', "'unknown' is not assignable"],
  ])('does not compile with %s that there is not', async (_what, from, to, named) => {
    const { ok, out } = await compiled(CLIENT.replace(from, to))
    expect([ok, out]).toEqual([false, expect.stringContaining(named)])
  })
})
