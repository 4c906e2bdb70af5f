// A language server that behaves as mode.txt beside it says: for tests of what becomes of one that misbehaves.
import { readFileSync, writeFileSync } from 'node:fs'

const mode = readFileSync(new URL('./mode.txt', import.meta.url), 'utf8').trim()
const range = { start: { line: 0, character: 3 }, end: { line: 0, character: 7 } }
const use = { start: { line: 1, character: 2 }, end: { line: 1, character: 6 } }
const CHUNK = 'x'.repeat(64 * 1024)
/** How long it loads before it answers: `load MS` says how far it is meanwhile, `deaf MS` hears and says nothing. */
const [, loading, loadMs = 0] = /^(load|deaf) (\d+)$/.exec(mode) ?? []
let answered = 0
const loaded = Promise.withResolvers()
if (!loading) loaded.resolve()

const send = message => {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message })
  return process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}

const pour = (stream, write) => {
  if (write()) setImmediate(pour, stream, write)
  else stream.once('drain', () => pour(stream, write))
}

const answers = {
  initialize() {
    if (mode === 'mute') return undefined
    if (mode === 'flood stderr') pour(process.stderr, () => process.stderr.write(CHUNK))
    if (mode === 'flood log')
      pour(process.stdout, () => send({ method: 'window/logMessage', params: { type: 3, message: CHUNK } }))
    if (mode === 'flood noise') pour(process.stdout, () => process.stdout.write(CHUNK))
    return { capabilities: { documentSymbolProvider: true, referencesProvider: true } }
  },
  initialized() {
    if (loading === 'load') load()
    if (loading === 'deaf') {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(loadMs))
      loaded.resolve()
    }
    if (mode === 'index')
      send({ method: '$/progress', params: { token: 1, value: { kind: 'begin', title: 'indexing' } } })
  },
  async 'textDocument/documentSymbol'() {
    await loaded.promise
    if (mode === 'crash') {
      process.stderr.write('out of ideas\n')
      process.exit(3)
    }
    if (mode === 'pry') pry()
    if (mode === 'hang') for (;;);
    if (mode.startsWith('flood')) return undefined
    if (mode === 'nonsense') return [{ name: 7 }]
    return [{ name: 'main', kind: 12, range, selectionRange: range, children: [] }]
  },
  'textDocument/references': ({ textDocument: { uri } }) =>
    mode === 'references once' && answered++ > 0
      ? undefined
      : [
          { uri, range: use },
          { uri, range: use },
        ],
}

/** Says how far it is ten times, as servers that index do. */
function load() {
  const tell = value => send({ method: '$/progress', params: { token: 'load', value } })
  const since = performance.now()
  tell({ kind: 'begin', title: 'Indexing', percentage: 0 })
  const timer = setInterval(
    () => {
      const done = Math.min(1, (performance.now() - since) / Number(loadMs))
      if (done < 1)
        return tell({
          kind: 'report',
          message: `${Math.round(done * 40)}/40 files`,
          percentage: Math.round(done * 100),
        })
      clearInterval(timer)
      tell({ kind: 'end' })
      loaded.resolve()
    },
    Number(loadMs) / 10,
  )
}

/** Tries what it must not, and ends with what came of it. */
function pry() {
  const outcome = attempt => {
    try {
      return attempt() ?? 'done'
    } catch (error) {
      return error.code
    }
  }
  const written = outcome(() => writeFileSync(new URL('./made.txt', import.meta.url), 'x'))
  const devices = readFileSync('/proc/net/dev', 'utf8')
    .match(/^ *\w+(?=:)/gm)
    ?.map(name => name.trim())
  process.stderr.write(`write ${written}, network ${devices}\n`)
  process.exit(5)
}

let input = Buffer.alloc(0)
process.stdin.on('data', chunk => {
  input = Buffer.concat([input, chunk])
  for (;;) {
    const end = input.indexOf('\r\n\r\n')
    const length = Number(/Content-Length: (\d+)/.exec(input.subarray(0, end))?.[1])
    if (end < 0 || input.length < end + 4 + length) return
    const { id, method, params } = JSON.parse(input.subarray(end + 4, end + 4 + length).toString())
    input = input.subarray(end + 4 + length)
    void answer(id, method, params)
  }
})
async function answer(id, method, params) {
  const result = await answers[method]?.(params)
  if (id !== undefined && result !== undefined) send({ id, result })
  else if (id !== undefined && !(method in answers)) send({ id, error: { code: -32601, message: 'unknown' } })
}
process.stdin.on('end', () => process.exit(0))
if (mode === 'die') process.exit(4)
