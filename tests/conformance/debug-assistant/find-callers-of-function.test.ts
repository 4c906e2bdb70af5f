// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { needs } from '../../needs.ts'
import { failure, rigWith } from './rig.ts'

const served = needs('bubblewrap')
/** A server that starts on a busy machine may need more than the document's 2 s. */
const PATIENT = { timeouts: { 'debug-assistant/*': 60_000 } }

const FAKE_SERVER = readFileSync(join(import.meta.dirname, '../../code/fakes/server.mjs'), 'utf8')
const above = (lines: number) => '//\n'.repeat(lines)

/** What the document's own example is about, on the lines that it names. */
const EXAMPLE = {
  'tsconfig.json':
    '{ "compilerOptions": { "jsx": "preserve", "module": "esnext", "lib": ["esnext"] }, "include": ["src"] }\n',
  'src/api/user.ts': 'export async function fetchUserData(userId: string) {\n  return userId\n}\n',
  'src/components/UserProfile.tsx': `import { fetchUserData } from '../api/user'\n${above(19)}export class UserProfile {\n  loadData() {\n    return fetchUserData('1')\n  }\n  render() {\n    return this.loadData()\n  }\n}\n`,
  'src/views/Dashboard.tsx': `import { fetchUserData } from '../api/user'\n${above(41)}export class Dashboard {\n  init() {\n    return fetchUserData('2')\n  }\n}\n`,
}

const KOTLIN = {
  'data/Users.kt': 'package data\n\nclass Users {\n    fun load(id: Int): Int = id\n}\n',
  'other/Orders.kt': 'package other\n\nclass Orders {\n    fun load(id: Int): Int = id\n}\n',
  'ui/Screen.kt':
    'package ui\n\nimport android.util.Log\nimport data.Users\nimport other.Orders\n\nclass Screen(private val users: Users, private val orders: Orders) {\n    fun show() {\n        Log.d("a", "b")\n        users.load(1)\n        orders.load(2)\n    }\n\n    fun open() {\n        show()\n    }\n}\n',
  'notes.txt': 'nothing\n',
  'lib/a.swift': 'func one() {}\n',
}

describe('find_callers_of_function', () => {
  served('DA-07: answers the example of the document as it is printed, from a language server', async () => {
    await using rig = await rigWith(EXAMPLE, PATIENT)
    const answer = await rig.call('find_callers_of_function', {
      functionName: 'fetchUserData',
      filePath: 'src/api/user.ts',
      maxDepth: 2,
    })
    expect(answer).toStrictEqual({
      success: true,
      data: {
        functionName: 'fetchUserData',
        filePath: 'src/api/user.ts',
        callers: [
          {
            callerName: 'UserProfile.loadData',
            filePath: 'src/components/UserProfile.tsx',
            line: 23,
            callChain: ['UserProfile.render', 'UserProfile.loadData', 'fetchUserData'],
            depth: 2,
          },
          {
            callerName: 'Dashboard.init',
            filePath: 'src/views/Dashboard.tsx',
            line: 45,
            callChain: ['Dashboard.init', 'fetchUserData'],
            depth: 1,
          },
        ],
        totalCallers: 2,
      },
    })
  })

  served('DA-07: an empty list of callers is an answer of its own', async () => {
    await using rig = await rigWith({ ...EXAMPLE, 'src/api/free.ts': 'export function free() {}\n' }, PATIENT)
    expect(
      await rig.call('find_callers_of_function', { functionName: 'free', filePath: 'src/api/free.ts' }),
    ).toMatchObject({ success: true, data: { callers: [], totalCallers: 0 } })
  })

  it('DA-13: Kotlin without a server: the right callers, and no look-alikes', async () => {
    await using rig = await rigWith(KOTLIN, PATIENT)
    const call = (functionName: string, filePath: string, maxDepth = 2) =>
      rig.call('find_callers_of_function', { functionName, filePath, maxDepth })
    expect(await call('Users.load', 'data/Users.kt')).toMatchObject({
      data: {
        callers: [
          { callerName: 'Screen.show', line: 10, callChain: ['Screen.open', 'Screen.show', 'Users.load'], depth: 2 },
        ],
        totalCallers: 1,
      },
    })
    expect(await call('load', 'other/Orders.kt', 1)).toMatchObject({
      data: { callers: [{ callerName: 'Screen.show', line: 11, depth: 1 }] },
    })
  })

  served('DA-07: looks two calls far unless told otherwise, one to five, and puts the outermost first', async () => {
    await using rig = await rigWith(
      {
        'tsconfig.json': '{ "compilerOptions": { "module": "esnext", "lib": ["esnext"] } }\n',
        'a.ts':
          'export function a() {}\nexport const b = () => a()\nexport const c = () => b()\nexport const d = () => c()\n',
      },
      PATIENT,
    )
    const call = async (more: object) => {
      const answer = await rig.call('find_callers_of_function', { functionName: 'a', filePath: 'a.ts', ...more })
      return Object(answer).data.callers.map(({ callChain, depth }: { callChain: string[]; depth: number }) => ({
        callChain,
        depth,
      }))
    }
    expect(await call({})).toEqual([{ callChain: ['c', 'b', 'a'], depth: 2 }])
    expect(await call({ maxDepth: 1 })).toEqual([{ callChain: ['b', 'a'], depth: 1 }])
    expect(await call({ maxDepth: 5 })).toEqual([{ callChain: ['d', 'c', 'b', 'a'], depth: 3 }])
  })

  served('DA-13: Python from its language server', async () => {
    await using rig = await rigWith(
      {
        'pyproject.toml': '[tool.pyright]\n',
        'shop/__init__.py': '',
        'shop/price.py': 'def price(x):\n    return x\n',
        'app.py': 'from shop.price import price as cost\n\n\ndef run():\n    return cost(1)\n',
      },
      PATIENT,
    )
    const parameters = { functionName: 'price', filePath: 'shop/price.py' }
    expect(await rig.call('find_callers_of_function', parameters)).toMatchObject({
      data: { callers: [{ callerName: 'run', filePath: 'app.py', line: 5, callChain: ['run', 'price'], depth: 1 }] },
    })
  })

  needs('bubblewrap', 'clangd')('DA-13: C from its language server', async () => {
    await using rig = await rigWith(
      {
        'price.h': 'int price(int x);\n',
        'price.c': '#include "price.h"\nint price(int x) { return x; }\n',
        'run.c': '#include "price.h"\nint run(void) {\n  return price(1);\n}\n',
      },
      PATIENT,
    )
    expect(await rig.call('find_callers_of_function', { functionName: 'price', filePath: 'price.c' })).toMatchObject({
      data: { callers: [{ callerName: 'run', filePath: 'run.c', line: 3, callChain: ['run', 'price'], depth: 1 }] },
    })
  })

  it('DA-13: languages without a server are read as text: Swift and PHP', async () => {
    await using rig = await rigWith(
      {
        'A.swift': 'func one() {}\nfunc two() { one() }\n',
        'a.php': '<?php\nfunction one() {}\nfunction two() { one(); }\n',
      },
      PATIENT,
    )
    for (const [filePath, line] of [
      ['A.swift', 2],
      ['a.php', 3],
    ] as const)
      expect(await rig.call('find_callers_of_function', { functionName: 'one', filePath })).toMatchObject({
        data: { callers: [{ callerName: 'two', filePath, line, depth: 1 }], totalCallers: 1 },
      })
  })

  it('DA-07: counts a caller once, however many calls it makes and chains lead to it, two levels deep unless told', async () => {
    const text =
      'fun a() {}\nfun b() { a(); a() }\nfun c() { b() }\nfun d() { b() }\nfun e() { a() }\nfun f() { c() }\n'
    await using rig = await rigWith({ 'A.kt': text }, PATIENT)
    const ask = async (more: object = {}) => {
      const input = { functionName: 'a', filePath: 'A.kt', ...more }
      const { data } = Object(await rig.call('find_callers_of_function', input))
      const chains = data.callers.map(({ callChain }: { callChain: string[] }) => callChain.join(' '))
      return [chains.toSorted(), data.totalCallers]
    }
    expect(await ask()).toEqual([['c b a', 'd b a', 'e a'], 2])
    expect(await ask({ maxDepth: 1 })).toEqual([['b a', 'e a'], 2])
    expect(await ask({ maxDepth: 3 })).toEqual([['d b a', 'e a', 'f c b a'], 2])
  })

  it('DA-07: names of an ambiguous function are taken as they are given', async () => {
    const text = 'class A { fun run() {} }\nclass B { fun run() {} }\nfun x() { A().run() }\n'
    await using rig = await rigWith({ 'A.kt': text }, PATIENT)
    const call = (functionName: string) => rig.call('find_callers_of_function', { functionName, filePath: 'A.kt' })
    expect(await call('run')).toStrictEqual(
      failure(
        'INVALID_PARAMETERS',
        "'run' is defined 2 times in A.kt. Give one of these as functionName: A.run, B.run",
      ),
    )
    expect(await call('A.run')).toMatchObject({ data: { callers: [{ callerName: 'x' }], totalCallers: 1 } })
  })

  it('DA-07: functions that no name tells apart are told by their lines', async () => {
    const text = 'class A {\n  fun run() {}\n  fun run(n: Int) {}\n}\nclass B { fun run() {} }\n'
    await using rig = await rigWith({ 'A.kt': text }, PATIENT)
    const answer = await rig.call('find_callers_of_function', { functionName: 'run', filePath: 'A.kt' })
    expect(answer).toStrictEqual(
      failure(
        'INVALID_PARAMETERS',
        expect.stringMatching(/ times in A\.kt\. .*A\.run \(line 2\), A\.run \(line 3\), B\.run \(line 5\)$/),
      ),
    )
  })

  it('DA-07: says what an answer from the text rests on, and is LSP_UNAVAILABLE where nothing is certain', async () => {
    await using rig = await rigWith(
      {
        'a.php':
          '<?php\nclass Cart { function total() {} }\nfunction sure(Cart $c) { $c->total(); $c->total(); }\nfunction maybe($c) { $c->total(); }\n',
        'b.php': '<?php\nclass Bag { function sum() {} }\nfunction maybe2($b) { $b->sum(); }\n',
      },
      PATIENT,
    )
    const call = (functionName: string, filePath: string) =>
      rig.call('find_callers_of_function', { functionName, filePath })
    expect(await call('Cart.total', 'a.php')).toMatchObject({
      data: {
        callers: [{ callerName: 'sure', line: 3 }],
        totalCallers: 1,
        certainty: { restsOn: 'text', possibleCallers: [{ callerName: 'maybe', filePath: 'a.php', line: 4 }] },
      },
    })
    expect(await call('Bag.sum', 'b.php')).toStrictEqual(failure('LSP_UNAVAILABLE', expect.stringContaining('b.php:3')))
  })

  it('DA-07: names what is wrong: no such function, no such file, no server, parameters', async () => {
    await using rig = await rigWith(KOTLIN, PATIENT)
    const call = (functionName: string, filePath: string, maxDepth = 2) =>
      rig.call('find_callers_of_function', { functionName, filePath, maxDepth })
    expect(await call('nothing', 'data/Users.kt')).toStrictEqual(
      failure('FUNCTION_NOT_FOUND', expect.stringContaining('Users.load')),
    )
    expect(await call('load', 'data/None.kt')).toStrictEqual(
      failure('FILE_NOT_FOUND', "File 'data/None.kt' does not exist in workspace"),
    )
    expect(await call('x', 'notes.txt')).toStrictEqual(failure('LSP_UNAVAILABLE', expect.stringMatching(/./)))
    for (const depth of [0, 6, 1.5])
      expect(await call('load', 'data/Users.kt', depth)).toMatchObject({ error: { code: 'INVALID_PARAMETERS' } })
  })

  served.each([
    ['one that only a server can read', 'fake', 'fn main\n  main()\n', 'main'],
    ['one that the text can answer too', 'php', '<?php\nfunction main() {}\nfunction may() { main(); }\n', 'main'],
  ])(
    'DA-07: what a server that is ready does not answer in its time is TIMEOUT, in %s',
    async (_what, extension, text, functionName) => {
      const server = { language: 'fake', command: process.execPath, args: ['server.mjs'], extensions: [extension] }
      const config = { languageServers: [server], timeouts: { 'debug-assistant/*': 5_000 } }
      const files = { 'server.mjs': FAKE_SERVER, 'mode.txt': 'references once', [`a.${extension}`]: text }
      await using rig = await rigWith(files, config)
      const answer = await rig.call('find_callers_of_function', { functionName, filePath: `a.${extension}` })
      expect(answer).toStrictEqual(failure('TIMEOUT', expect.stringContaining("'fake'")))
    },
  )

  it('DA-03: a tool that passes its own time is TOOL_TIMEOUT', async () => {
    await using rig = await rigWith(KOTLIN, { timeouts: { 'debug-assistant/*': 1 } })
    expect(
      await rig.call('find_callers_of_function', { functionName: 'load', filePath: 'other/Orders.kt' }),
    ).toMatchObject({ success: false, error: { code: 'TOOL_TIMEOUT' } })
  })
})
