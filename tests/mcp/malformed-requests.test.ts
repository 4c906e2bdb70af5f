import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { initialize, start } from './start.ts'

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({ 'a.txt': 'one\n' })
})
afterEach(() => workspace.remove())

const METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'logging/setLevel',
  'resources/list',
  'resources/read',
  'prompts/get',
  'completion/complete',
  'tasks/get',
  'server/discover',
  'roots/list',
  'sampling/createMessage',
  'elicitation/create',
  'no/such',
  '__proto__',
  '',
]

/** The params of a valid request, for the rows that only spoil its meta. */
const VALID: Readonly<Record<string, object>> = {
  'tools/call': { name: 'read', arguments: { path: 'a.txt' } },
  initialize: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
}

const DEEP = 20_000
const nested = `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`

/** What is wrong with params, as JSON, and the word that an error must name it by. */
const WRONG: readonly (readonly [json: string, named: RegExp])[] = [
  ['[1]', /'params' must be an object/],
  ['[]', /'params' must be an object/],
  ['1', /'params' must be an object/],
  ['"x"', /'params' must be an object/],
  ['true', /'params' must be an object/],
  ['null', /'params' must be an object/],
  [nested, /'params' must be an object/],
]

const WRONG_META: readonly (readonly [json: string, named: RegExp])[] = [
  ['1', /'params._meta' must be an object/],
  ['null', /'params._meta' must be an object/],
  ['[1]', /'params._meta' must be an object/],
  ['"x"', /'params._meta' must be an object/],
  ['{"progressToken":{}}', /'params._meta.progressToken' must be/],
  ['{"progressToken":{"a":1}}', /'params._meta.progressToken' must be/],
  ['{"progressToken":[1]}', /'params._meta.progressToken' must be/],
  ['{"progressToken":null}', /'params._meta.progressToken' must be/],
  ['{"progressToken":true}', /'params._meta.progressToken' must be/],
  ['{"progressToken":1.5}', /'params._meta.progressToken' must be/],
  [`{"progressToken":${nested}}`, /'params._meta.progressToken' must be/],
]

interface Row {
  readonly line: (id: number) => string
  readonly named: RegExp
}

const lineOf = (id: number, method: string, rest: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)}${rest}}`

const rows: readonly Row[] = METHODS.flatMap(method => [
  ...WRONG.map(([json, named]) => ({ line: (id: number) => lineOf(id, method, `,"params":${json}`), named })),
  ...WRONG_META.map(([json, named]) => {
    const members = JSON.stringify(VALID[method] ?? {}).slice(1, -1)
    const params = `{${members}${members === '' ? '' : ','}"_meta":${json}}`
    return { line: (id: number) => lineOf(id, method, `,"params":${params}`), named }
  }),
  { line: (id: number) => lineOf(id, method, ',"params":{},"more":1'), named: /'more'/ },
])

const call = (json: string) => (id: number) => lineOf(id, 'tools/call', `,"params":${json}`)
const read = (more: string) => call(`{"name":"read","arguments":{"path":"a.txt",${more}}}`)

const CALLS: readonly Row[] = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', 'valueOf', ''].map(
    key => ({ line: read(`${JSON.stringify(key)}:{"path":"b.txt"}`), named: new RegExp(`Unknown parameter '${key}'`) }),
  ),
  { line: read('"__proto__":null'), named: /Unknown parameter '__proto__'/ },
  { line: read('"\\u005f_proto__":1'), named: /Unknown parameter '__proto__'/ },
  {
    line: call('{"name":"edit","arguments":{"path":"a.txt","edits":[{"old":"one","new":"two","__proto__":{"x":1}}]}}'),
    named: /Unknown parameter 'edits.0.__proto__'/,
  },
  {
    line: call('{"name":"read","arguments":{"path":"a.txt","__proto__":1},"_meta":{"io.modelcontextprotocol/x":1}}'),
    named: /__proto__/,
  },
  { line: call('{"name":"__proto__","arguments":{}}'), named: /no tool '__proto__'/ },
  { line: call('{"name":"constructor","arguments":{}}'), named: /no tool 'constructor'/ },
  { line: call('{"name":{"a":1},"arguments":{}}'), named: /params.name/ },
  { line: call('{"arguments":{}}'), named: /params.name/ },
  ...['5', 'null', '["ping"]', '{"a":1}', 'true'].map(method => ({
    line: (id: number) => `{"jsonrpc":"2.0","id":${id},"method":${method}}`,
    named: /not a JSON-RPC 2.0 message/,
  })),
  { line: call('{}'), named: /params.name/ },
  { line: call(`{"name":"read","arguments":${nested}}`), named: /arguments/ },
  { line: call(`{"name":"read","arguments":{"path":${nested}}}`), named: /nested more than 200 levels/ },
  { line: call(`{"name":"check","arguments":{"type":"x","data":${nested}}}`), named: /./ },
  { line: call('{"name":"read","arguments":null}'), named: /arguments/ },
  { line: id => lineOf(id, 'tools/list', ',"params":{"cursor":5}'), named: /cursor/ },
  {
    line: id => lineOf(id, 'initialize', ',"params":{"protocolVersion":1,"capabilities":5,"clientInfo":[]}'),
    named: /params.protocolVersion/,
  },
  { line: id => lineOf(id, 'initialize', ''), named: /params/ },
]

const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' }

/** Sends the lines under ids from 100 on and returns the answers by id. */
async function answersTo(lines: readonly string[]): Promise<ReadonlyMap<unknown, readonly unknown[]>> {
  const answers = await start(workspace).answers(
    initialize(),
    INITIALIZED,
    ...lines,
    '{"jsonrpc":"2.0","id":"last","method":"ping"}',
  )
  return Map.groupBy(answers, ({ id }) => id)
}

describe('a malformed request', () => {
  it.each([
    ['of every method', rows],
    ['to call a tool, list or begin', CALLS],
  ])('%s gets one answer, which names what is wrong', async (_, table) => {
    const answers = await answersTo(table.map(({ line }, at) => line(100 + at)))
    const wrong = table.flatMap(({ line, named }, at) => {
      const given = answers.get(100 + at) ?? []
      const text = JSON.stringify(given).replaceAll('\\\\', '\\').replaceAll('\\"', '"')
      const isRefused = /"error":|"isError":true/.test(text)
      return given.length === 1 && isRefused && named.test(text)
        ? []
        : [`${line(0).slice(0, 150)} -> ${text.slice(0, 300)}`]
    })
    expect(wrong).toEqual([])
    expect(answers.get('last')).toEqual([{ jsonrpc: '2.0', id: 'last', result: {} }])
    expect(workspace.read('a.txt')).toBe('one\n')
  })

  it.each([
    '[1]',
    '1',
    'null',
    '{"_meta":{"progressToken":{}}}',
    '{"_meta":7}',
    '{"protocolVersion":{},"capabilities":[]}',
  ])('that begins the connection with params %s is answered, and the next one begins it', async params => {
    const answers = await start(workspace).answers(lineOf(7, 'initialize', `,"params":${params}`), initialize())
    expect(answers.map(({ id, error, result }) => [id, Boolean(error), Boolean(result)])).toEqual([
      [7, true, false],
      [1, false, true],
    ])
  })
})
